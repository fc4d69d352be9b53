package rule

import "strings"

// months are the names of the twelve months and their abbreviations in English,
// Danish, Norwegian, Swedish, German, Dutch, French, Spanish, Italian, Portuguese,
// Finnish and Polish, in the cases that dates use. No name is that of two months.
var months = [12]string{
	" january jan januar januari jänner jän janvier janv enero ene gennaio gen janeiro tammikuu tammikuuta tammi styczeń stycznia sty ",
	" february feb februar februari febr feber février fevrier févr fév febrero febbraio fevereiro fev helmikuu helmikuuta helmi luty lutego lut ",
	" march mar marts mars märz mär mrz maart mrt marzo março maaliskuu maaliskuuta maalis marzec marca ",
	" april apr avril avr abril abr aprile huhtikuu huhtikuuta huhti kwiecień kwietnia kwi ",
	" may maj mai mei mayo maggio mag maio toukokuu toukokuuta touko maja ",
	" june jun juni juin junio giugno giu junho kesäkuu kesäkuuta kesä czerwiec czerwca cze ",
	" july jul juli juillet juil julio luglio lug julho heinäkuu heinäkuuta heinä lipiec lipca lip ",
	" august aug augusti augustus août aout agosto ago elokuu elokuuta elo sierpień sierpnia sie ",
	" september sep sept septembre septiembre setiembre set settembre sett setembro syyskuu syyskuuta syys wrzesień września wrz ",
	" october oct oktober okt octobre octubre ottobre ott outubro out lokakuu lokakuuta loka październik października paź ",
	" november nov novembre noviembre novembro marraskuu marraskuuta marras listopad listopada lis ",
	" december dec desember des dezember dez décembre decembre déc diciembre dic dicembre dezembro joulukuu joulukuuta joulu grudzień grudnia gru ",
}

// monthOf returns the number of the month that name is that of, in any case; 0 when
// it is none.
func monthOf(name string) int {
	name = " " + strings.ToLower(name) + " "
	for i, names := range months {
		if strings.Contains(names, name) {
			return i + 1
		}
	}
	return 0
}
