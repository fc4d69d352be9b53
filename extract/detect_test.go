package extract

import (
	"slices"
	"strings"
	"testing"
)

// In these languages: when the bins are emptied.
var spoken = map[string]string{
	"da": "Kommunen tømmer affald hver anden uge mellem klokken seks om morgenen og tre om eftermiddagen. Husstande, der deler gård, kan dele en beholder, og kommunens egne folk kører den tilbage igen bagefter. Hvis du ikke får tømt din beholder, skal du ringe til os på hverdage. Det er ikke muligt at bestille en ekstra tømning på nettet, men du kan købe en sæk i Borgerservice.",
	"nb": "Kommunen henter avfall annenhver uke mellom klokken seks om morgenen og tre om ettermiddagen. Husstander som deler gård, kan dele en beholder, og kommunens egne folk kjører den tilbake igjen etterpå. Hvis du ikke får tømt beholderen din, må du ringe oss på hverdager. Det er ikke mulig å bestille en ekstra tømming på nettet, men du kan kjøpe en sekk av oss på servicetorget.",
	"sv": "Kommunen hämtar avfall varannan vecka mellan klockan sex på morgonen och tre på eftermiddagen. Hushåll som delar gård kan dela på ett kärl, och kommunens egen personal kör tillbaka det igen. Om du inte får ditt kärl tömt ska du ringa till oss på vardagar. Det är inte möjligt att beställa en extra tömning på nätet.",
	"en": "Bins for residual waste are emptied every second week, between six in the morning and three in the afternoon. Households that share a yard may share a container, and the borough’s own crews will bring it back. If your bin was not emptied, call us on weekdays. It is not possible to order an extra collection online.",
	"de": "Die Restmülltonnen werden alle zwei Wochen zwischen sechs Uhr morgens und drei Uhr nachmittags geleert. Haushalte, die sich einen Hof teilen, können sich eine Tonne teilen, und die Mitarbeiter der Gemeinde bringen sie zurück. Wenn Ihre Tonne nicht geleert wurde, rufen Sie uns bitte an.",
	"fr": "Les bacs à ordures sont vidés toutes les deux semaines, entre six heures du matin et trois heures de l'après-midi. Les ménages qui partagent une cour peuvent partager un conteneur, et les équipes de la commune le ramènent ensuite. Si votre bac n'a pas été vidé, appelez-nous en semaine.",
	"nl": "De containers voor restafval worden om de twee weken geleegd, tussen zes uur 's ochtends en drie uur 's middags. Huishoudens die een erf delen, kunnen een container delen, en de medewerkers van de gemeente brengen hem terug. Als uw container niet is geleegd, bel ons dan op werkdagen. Het is niet mogelijk een extra lediging met het formulier aan te vragen.",
	"fi": "Sekajäteastiat tyhjennetään joka toinen viikko kello kuuden ja viidentoista välillä. Samalla pihalla asuvat taloudet voivat käyttää yhteistä astiaa, ja kunnan omat työntekijät tuovat sen takaisin. Jos astiaanne ei ole tyhjennetty, soittakaa meille arkisin. Se on myös tai ei ole kallista.",
	"pl": "Pojemniki na odpady są opróżniane co dwa tygodnie między szóstą rano a trzecią po południu. Gospodarstwa, które dzielą podwórze, mogą korzystać ze wspólnego pojemnika, a pracownicy gminy odwożą go z powrotem. Jeśli pojemnik nie został opróżniony, to prosimy o telefon do nas w dni robocze i nie czekać na to, że się opróżni.",
	"ja": "ごみ箱は二週間ごとに、午前六時から午後三時の間に空にされます。庭を共有する世帯は容器を共有することができ、町の職員が後でそれを元に戻します。容器が空にされていない場合は、平日にお電話ください。",
	// whatlanggo does not know the first, and takes the second for Spanish.
	"is": "Sorp er sótt aðra hverja viku milli klukkan sex að morgni og þrjú síðdegis. Heimili sem deila garði geta deilt íláti og starfsmenn bæjarins koma með það til baka. Ef ílátið þitt hefur ekki verið tæmt skaltu hringja í okkur á virkum dögum. Það er ekki hægt að panta aukalega tæmingu á netinu.",
	"ca": "Els contenidors de rebuig es buiden cada dues setmanes, entre les sis del matí i les tres de la tarda. Les llars que comparteixen un pati poden compartir un contenidor, i els equips del municipi el tornen a portar. Si el vostre contenidor no s'ha buidat, truqueu-nos els dies feiners.",
	// These are much like others, of which whatlanggo knows some alone.
	"nn": "Kommunen hentar avfall annakvar veke mellom klokka seks om morgonen og tre om ettermiddagen. Hushald som deler gard, kan dele ein behaldar, og kommunen sine eigne folk køyrer han tilbake etterpå. Dersom du ikkje får tømt behaldaren din, må du ringje oss på kvardagar. Det er ikkje mogleg å bestille ei ekstra tømming på nettet, men du kan kjøpe ein sekk frå oss på servicetorget.",
	"sk": "Nádoby na zmesový odpad sa vyprázdňujú každý druhý týždeň medzi šiestou hodinou ráno a treťou popoludní. Domácnosti, ktoré sa delia o dvor, môžu mať spoločnú nádobu a pracovníci obce ju potom vrátia na miesto. Ak vám nádobu nevyprázdnili, zavolajte nám v pracovných dňoch. Cez internet nie je možné objednať ďalší odvoz, ale vrece si môžete kúpiť aj na obecnom úrade, ktorý je otvorený pre všetkých.",
	"cs": "Nádoby na směsný odpad se vyprazdňují každý druhý týden mezi šestou hodinou ráno a třetí odpoledne. Domácnosti, které sdílejí dvůr, mohou mít společnou nádobu a pracovníci obce ji pak vrátí na místo. Pokud vám nádobu nevyprázdnili, zavolejte nám v pracovních dnech. Na internetu není možné objednat další odvoz, ale pytel je možné koupit také na úřadě, který je otevřen pro všechny a na náměstí.",
	"hr": "Spremnici za miješani otpad prazne se svaki drugi tjedan između šest sati ujutro i tri popodne. Kućanstva koja dijele dvorište mogu dijeliti i spremnik, a djelatnici općine ga nakon toga vraćaju na mjesto. Ako vam spremnik nije ispražnjen, nazovite nas radnim danom prije podne. Što se tiče dodatnog odvoza, on se ne može naručiti na internetu, ali vreća se može kupiti u općini, gdje je otvoreno i tijekom ljeta.",
	"sr": "Kontejneri za mešani otpad prazne se svake druge nedelje između šest sati ujutru i tri po podne. Domaćinstva koja dele dvorište mogu da dele i kontejner, a radnici opštine ga posle toga vraćaju na mesto. Ako vam kontejner nije ispražnjen, pozovite nas radnim danom pre podne. Dodatni odvoz se ne može naručiti na internetu, ali kesa može da se kupi u opštini, gde je otvoreno i tokom leta.",
	"mk": "Контејнерите за мешан отпад се празнат секоја втора недела меѓу шест часот наутро и три попладне. Домаќинствата што делат двор можат да делат и контејнер, а работниците на општината потоа го враќаат на место. Ако контејнерот не е испразнет, јавете ни се во работен ден. Дополнителен одвоз не може да се нарача на интернет, но вреќа може да се купи во општината, која е отворена и за време на летото.",
	"gl": "Os colectores de lixo baléiranse cada dúas semanas, entre as seis da mañá e as tres da tarde. Os fogares que comparten un patio poden compartir tamén un colector, e o persoal do concello devólveo despois ao seu sitio. Se o seu colector non foi baleirado, chámenos en día laborable. Non é posible pedir unha recollida máis na rede, pero unha bolsa pódese mercar no concello, que abre para todos.",
	"af": "Die houers vir gemengde afval word elke tweede week tussen ses uur die oggend en drie uur die middag leeggemaak. Huishoudings wat 'n werf deel, kan 'n houer deel, en die munisipaliteit se eie mense bring dit later terug. As jou houer nie leeggemaak is nie, bel ons op 'n weeksdag. Dit is nie moontlik om op die internet vir nog 'n rit te vra nie, maar 'n sak is by die kantoor te koop.",
	// Not sentences of any language.
	"names": "Hansen, Peter Andersen, Maria Lund. Formand: Jens Olsen. Kasserer: Birthe Holm Nielsen. Medlemmer: Ole Kristensen, Lone Mortensen, Karsten Bach, Inge Sørensen, Poul Erik Madsen, Tove Kjær, Hanne Friis, Bent Juhl, Aase Thomsen.",
	"code":  "npm install tidemark. cd tidemark && make build. export PATH=$PATH:/usr/local/bin. tidemark serve --listen 8080 --config tidemark.toml. git clone tidemark.git. docker run tidemark:latest. curl localhost:8080/healthz.",
	"short": "The bins are emptied every second week, and you are not to put them out before.",
}

// TestMisread holds that a language is doubted only where the text leaves no doubt.
func TestMisread(t *testing.T) {
	table := []struct{ said, text, language, found string }{
		{"pl", "pl", "pl", ""},
		{"nl", "nl", "nl", ""},
		{"en", "da", "en", "language is en; the text reads like da"},
		{"en-GB", "nb", "en", "language is en; the text reads like nb"},
		{"en", "sv", "en", "language is en; the text reads like sv"},
		{"da", "en", "da", "language is da; the text reads like en"},
		{"da", "de", "da", "language is da; the text reads like de"},
		{"de", "fr", "de", "language is de; the text reads like fr"},
		{"en", "fi", "en", "language is en; the text reads like fi"},
		{"en", "ja", "en", "language is en; the text reads like ja"},
		{"no", "en", "no", "language is no; the text reads like en"},
		{"nb", "da", "nb", ""},
		{"da", "nb", "da", ""},
		{"no", "nb", "no", ""},
		{"nn", "nb", "nn", ""},
		{"nn", "nn", "nn", ""},
		{"da", "nn", "da", ""},
		{"cs", "sk", "cs", ""},
		{"sk", "cs", "sk", ""},
		{"hr", "sr", "hr", ""},
		{"bs", "hr", "bs", ""},
		{"bg", "mk", "bg", ""},
		{"es", "gl", "es", ""},
		{"nl", "af", "nl", ""},
		{"sk", "en", "sk", "language is sk; the text reads like en"},
		{"en", "sk", "en", "language is en; the text reads like sk"},
		{"de", "nn", "de", "language is de; the text reads like nn"},
		{"is", "is", "is", ""},
		{"is", "en", "is", ""}, // whatlanggo knows no Icelandic: it has no say
		{"ca", "ca", "ca", ""},
		{"da", "code", "da", ""},
		{"", "da", "da", ""},
		{"", "nb", "nb", ""},
		{"", "nn", "nn", ""},
		{"", "sk", "sk", ""},
		{"", "cs", "cs", ""},
		{"", "hr", "hr", ""},
		{"", "sr", "sr", ""},
		{"", "mk", "mk", ""},
		{"", "gl", "", ""},
		{"", "af", "af", ""},
		{"", "ja", "ja", ""},
		{"", "is", "", ""},
		{"", "ca", "ca", ""},
		{"", "names", "", ""},
		{"", "code", "", ""},
		{"", "short", "", ""},
	}
	for _, row := range table {
		d := checkField(t, row.said+" "+row.text, Options{}, htmlPage(t, testURL, `<html lang="`+row.said+`"><p>`+spoken[row.text]), "Language", row.language)
		if warns := slices.Contains(d.Warn, "language"); warns != (row.found != "") || !strings.Contains(d.Misread, row.found) {
			t.Errorf("%s in %q: %q, %q; want %q", row.text, row.said, d.Warn, d.Misread, row.found)
		}
	}
}
