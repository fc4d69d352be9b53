package words_test

import (
	"slices"
	"strings"
	"testing"

	"sitesync/internal/service/search/words"
)

// texts are sentences of each language, about 20 words each.
func texts() map[string][]string {
	return map[string][]string{
		"da": {
			"Skolen ligger midt i byen og har plads til fire hundrede elever. Der er både boldbane, værksted og et stort køkken, som alle klasser bruger.",
			"Vi har samlet svar på de spørgsmål, som vi oftest får. Finder du ikke svaret her, er du velkommen til at ringe til os.",
			"Affald skal sorteres i otte dele. Papir og pap afhentes hver anden uge, mens glas kan afleveres på genbrugspladsen.",
			"Svømmehallen holder lukket i juli på grund af reparation. Medlemmer får pengene tilbage for den måned, de ikke kan svømme.",
			"Museets nye udstilling viser redskaber fra gårde og værksteder. Børn under femten år kommer gratis ind sammen med en voksen.",
			"Ansøgningen skal være hos os senest den første maj. Vi behandler den i løbet af en måned, og du får besked i din digitale postkasse.",
			"Biblioteket har åbent hver dag undtagen søndag, og du kan låne bøger og film uden at betale for det. Husk at aflevere til tiden.",
			"Kommunen har lagt en ny plan frem for cykelstierne i byen. Borgerne kan sende deres bemærkninger til og med den første juni.",
			"Når du flytter, skal du melde din nye adresse senest fem dage efter. Det gør du på nettet med dit nøglekort og nogle få oplysninger.",
		},
		"de": {
			"Das Schwimmbad bleibt im Juli wegen einer Reparatur geschlossen. Mitglieder erhalten für diesen Monat ihr Geld zurück.",
			"Abfall wird in acht Sorten getrennt. Altpapier wird jede zweite Woche abgeholt, Glas bringt man selber zur Sammelstelle.",
			"Die Bibliothek ist täglich außer montags geöffnet. Bücher können Sie für vier Wochen ausleihen und danach zweimal verlängern, wenn niemand sie vorgemerkt hat.",
			"Wer im Garten ein Gewächshaus bauen will, braucht dafür meist keine Bewilligung, muss das Vorhaben der Gemeinde aber melden.",
			"Unsere Kurse richten sich an alle, die noch nie an einem Webstuhl gesessen haben. Das Material ist im Preis inbegriffen.",
		},
		"en": {
			"The pool stays closed in July because of repairs. Members get their money back for the month in which they cannot swim.",
			"Waste is sorted into eight kinds. Paper is collected every second week.",
			"The library is open every day except Monday. You may borrow books for four weeks and renew them twice if nobody has asked for them.",
			"Most gardens need little water in the autumn, but young trees should be looked after until the first frost has come.",
			"Opening an account takes a few minutes. Please have your passport at hand and tell us where you live.",
		},
		"es": {
			"La piscina permanece cerrada en julio por obras. Los socios recuperan el dinero de ese mes.",
			"La basura se separa en ocho tipos. El papel se recoge cada dos semanas y el vidrio se lleva al punto limpio.",
			"La biblioteca abre todos los días menos el lunes. Puede llevarse los libros cuatro semanas y renovarlos si nadie los ha pedido.",
			"Para construir un invernadero en el jardín no hace falta permiso, pero hay que avisar al ayuntamiento con tiempo.",
			"Nuestros cursos son para quienes nunca han tocado un telar. El material está incluido en el precio de la matrícula.",
		},
		"fi": {
			"Uimahalli on suljettu heinäkuussa korjauksen takia. Jäsenet saavat rahat takaisin siltä kuukaudelta, jolloin he eivät voi uida.",
			"Jätteet lajitellaan kahdeksaan osaan. Paperi haetaan joka toinen viikko, ja lasin voi viedä keräyspisteeseen.",
			"Kirjasto on avoinna joka päivä paitsi maanantaisin. Kirjat voi lainata neljäksi viikoksi ja uusia kahdesti, jos niitä ei ole varattu muille.",
			"Jos haluat rakentaa kasvihuoneen, et yleensä tarvitse lupaa, mutta sinun on kerrottava siitä kunnalle ennen kuin aloitat.",
			"Kurssimme sopivat kaikille, jotka eivät ole koskaan kutoneet. Tarvikkeet kuuluvat hintaan, ja kahvi on ilmaista sekä aamulla että illalla.",
		},
		"fr": {
			"La piscine reste fermée en juillet pour cause de travaux. Les membres sont remboursés du mois perdu.",
			"Les déchets sont triés en huit sortes. Le papier est ramassé une semaine sur deux.",
			"La bibliothèque est ouverte tous les jours sauf le lundi. Vous pouvez emprunter des livres pour quatre semaines et les garder plus longtemps.",
			"Pour construire une serre dans son jardin, il ne faut pas de permis, mais la commune doit en être avertie.",
			"Nos cours s'adressent à ceux qui n'ont jamais touché un métier à tisser. Le matériel est compris dans le prix.",
		},
		"it": {
			"La piscina resta chiusa a luglio per lavori. I soci ricevono indietro i soldi di quel mese.",
			"I rifiuti si dividono in otto tipi. La carta viene ritirata ogni due settimane.",
			"La biblioteca è aperta tutti i giorni tranne il lunedì. I libri si possono prendere in prestito per quattro settimane e poi rinnovare.",
			"Per costruire una serra nel giardino non serve un permesso, ma bisogna avvisare il comune prima di cominciare i lavori.",
			"I nostri corsi sono per chi non ha mai visto un telaio. Il materiale è compreso nel prezzo della lezione.",
		},
		"nl": {
			"De school staat midden in de stad en heeft plaats voor vierhonderd leerlingen. Er is een sportveld en een grote keuken.",
			"Afval wordt in acht soorten gescheiden. Papier halen we om de week op, glas kunt u zelf naar de milieustraat brengen.",
			"De bibliotheek is elke dag open behalve op maandag. Boeken kun je vier weken lenen en daarna nog twee keer verlengen.",
			"Wie in zijn tuin een kas wil bouwen, heeft meestal geen vergunning nodig, maar moet het wel aan de gemeente melden.",
			"Onze lessen zijn bedoeld voor mensen die nog nooit geweven hebben. Het materiaal is bij de prijs inbegrepen.",
		},
		"no": {
			"Skolen ligger midt i byen og har plass til fire hundre elever. Her er det ballbane, verksted og et stort kjøkken som alle klassene bruker.",
			"Vi har samlet svar på de spørsmålene vi oftest får. Finner du ikke svaret her, er du velkommen til å ringe oss.",
			"Avfall skal sorteres i åtte deler. Papir og papp hentes annenhver uke, mens glass kan leveres på gjenvinningsstasjonen.",
			"Svømmehallen er stengt i juli på grunn av reparasjon. Medlemmer får pengene tilbake for den måneden de ikke kan svømme.",
			"Museets nye utstilling viser redskaper fra gårder og verksteder. Barn under femten år kommer gratis inn sammen med en voksen.",
			"Søknaden må være hos oss senest første mai. Vi behandler den i løpet av en måned, og du får beskjed i din digitale postkasse.",
			"Biblioteket er åpent hver dag unntatt mandag. Du kan låne bøker i fire uker og fornye dem to ganger hvis ingen andre venter.",
			"Kommunen har lagt fram en ny plan for sykkelveiene i byen. Innbyggerne kan sende inn sine merknader fram til juni.",
			"Når du flytter, må du melde fra om den nye adressen innen åtte dager. Det gjør du på nettet med noen få opplysninger.",
		},
		"pl": {
			"Basen jest zamknięty w lipcu z powodu remontu. Członkowie otrzymają zwrot pieniędzy za ten miesiąc.",
			"Odpady sortuje się na osiem rodzajów. Papier zabieramy co dwa tygodnie, a szkło można oddać w punkcie zbiórki.",
			"Biblioteka jest czynna codziennie oprócz poniedziałku. Książki można wypożyczyć na cztery tygodnie, a potem dwa razy przedłużyć, jeśli nikt na nie nie czeka.",
			"Kto chce postawić szklarnię w ogrodzie, zwykle nie potrzebuje pozwolenia, ale musi o tym zawiadomić gminę przed rozpoczęciem prac.",
			"Nasze kursy są dla tych, którzy nigdy nie tkali. Materiały są wliczone w cenę, a kawa jest za darmo.",
		},
		"pt": {
			"A piscina fica fechada em julho por causa de obras. Os sócios recebem de volta o dinheiro desse mês.",
			"O lixo deve ser separado em oito tipos. O papel é recolhido de duas em duas semanas.",
			"A biblioteca está aberta todos os dias menos à segunda. Pode levar os livros por quatro semanas e renovar se ninguém os tiver pedido.",
			"Para construir uma estufa no jardim não é preciso licença, mas a câmara tem de ser avisada antes do início das obras.",
			"Os nossos cursos são para quem nunca viu um tear. O material está incluído no preço da inscrição.",
		},
		"sv": {
			"Skolan ligger mitt i staden och har plats för fyra hundra elever. Här finns bollplan, verkstad och ett stort kök som alla klasser använder.",
			"Simhallen är stängd i juli på grund av reparation. Medlemmar får tillbaka pengarna för den månad de inte kan simma.",
			"Avfall ska sorteras i åtta delar. Papper hämtas varannan vecka medan glas kan lämnas på återvinningsstationen.",
			"Biblioteket är öppet varje dag utom måndagar. Du kan låna böcker i fyra veckor och låna om dem två gånger om ingen väntar.",
			"Kommunen har tagit fram en ny plan för cykelvägarna i staden. Invånarna kan skicka in sina synpunkter till och med juni.",
			"När du flyttar ska du anmäla din nya adress inom en vecka. Det gör du på nätet med några få uppgifter.",
		},
		words.Other: {
			"Knihovna je otevřena každý den kromě pondělí. Knihy si můžete půjčit na čtyři týdny a potom je dvakrát prodloužit, když na ně nikdo nečeká.",
			"Biblioteca este deschisă în fiecare zi în afară de luni. Cărțile se pot împrumuta pentru patru săptămâni și apoi se prelungesc de două ori.",
			"A könyvtár hétfő kivételével minden nap nyitva van. A könyveket négy hétre lehet kölcsönözni, és kétszer meg lehet hosszabbítani.",
			"Raamatukogu on avatud iga päev peale esmaspäeva. Raamatuid saab laenutada neljaks nädalaks ja pikendada kaks korda, kui keegi neid ei oota.",
			"Bókasafnið er opið alla daga nema mánudaga. Bækur má fá að láni í fjórar vikur og framlengja tvisvar ef enginn bíður.",
			"Kütüphane pazartesi hariç her gün açıktır. Kitapları dört haftalığına ödünç alabilir ve bekleyen yoksa iki kez uzatabilirsiniz.",
			"Knižnica je otvorená každý deň okrem pondelka. Knihy si môžete požičať na štyri týždne a potom ich dvakrát predĺžiť.",
			"Perpustakaan buka setiap hari kecuali hari Senin. Buku dapat dipinjam selama empat minggu dan diperpanjang dua kali.",
			"Библиотека открыта каждый день, кроме понедельника. Книги можно взять на четыре недели и потом дважды продлить.",
			"図書館は月曜日を除いて毎日開いています。本は四週間借りることができます。",
			"XR-200 4x6 mm M8 DIN 933 A2-70 12 V 3,5 A USB-C 2.0 HDMI 1080p RJ45 IP67 CE RoHS",
			"Anna Schmidt, Peter Meyer, Luigi Rossi, Jan de Vries, María García, John Smith, Kari Nordmann",
		},
	}
}

func TestLanguageIsDetected(t *testing.T) {
	for want, all := range texts() {
		for _, text := range all {
			if got := words.Language(text); got != want {
				t.Errorf("the language of %q is %q, want %q", text, got, want)
			}
		}
	}
}

func TestShortTextHasALanguageOnlyWhenSure(t *testing.T) {
	for text, want := range map[string]string{
		"": "xx", "Kontakt": "xx", "Information": "xx", "Hotel California": "xx", "IT": "xx", "Die Hard": "xx", "Bad Ischl": "xx",
		"To be or not to be":                "en",
		"The opening hours of the museum":   "en",
		"Wie Sie uns finden":                "de",
		"Öffnungszeiten und Preise für Sie": "de",
	} {
		if got := words.Language(text); got != want {
			t.Errorf("the language of %q is %q, want %q", text, got, want)
		}
	}
}

func TestTags(t *testing.T) {
	for tag, want := range map[string]string{
		"de-CH": "de", "DE": "de", "de_AT": "de", " sv ": "sv", "nb-NO": "no", "nn": "no", "pt-BR": "pt", "deu": "de", "German": "de", "Deutsch": "de",
		"Norwegian Bokmål": "no", "français": "fr", "Français (Suisse)": "fr", "ESPAÑOL": "es", "Dutch": "nl", "suomi": "fi", "Polish": "pl",
		"": "xx", "xx": "xx", "klingon": "xx", "-": "xx", "\xff": "xx", "el": "xx",
	} {
		if got := words.Of(tag); got != want {
			t.Errorf("Of(%q) is %q, want %q", tag, got, want)
		}
	}
}

// terms returns the terms of a text in one string.
func terms(r *words.Reader, language, text string) string {
	var all []string
	text = words.Lower(text)
	for start, end := range words.Each(text) {
		found, _ := r.Terms(language, text[start:end])
		all = append(all, found...)
	}
	return strings.Join(all, " ")
}

// TestFormsFindEachOther holds the words of a line against the first of them.
func TestFormsFindEachOther(t *testing.T) {
	r := words.NewReader()
	for language, lines := range map[string][]string{
		"en": {"library libraries", "opening opened", "Müller Müller's Müller’s", "cafe café", "o'brien o’brien obrien"},
		"de": {"Haus Häuser Haeuser Hauses", "Straße Strasse straßen STRASSEN", "München Muenchen Munchen", "Tür Türen Tueren", "Müller's Mueller",
			"Größe groesse grösse", "Café Cafe", "übung uebung"},
		"da": {"bog bogen", "Århus Aarhus århus", "smørrebrød smoerrebroed smörrebröd", "kirke kirken kirker", "skole skolen skoler skolerne", "ægteskab aegteskab"},
		"no": {"skole skolen skoler skolene", "gård gaard gården", "kjøre kjoere", "Ålesund Aalesund"},
		"sv": {"skola skolan skolor skolorna", "Malmö Malmoe Malmø", "gård gaard gården gårdar", "tidning tidningar", "hus huset husen", "budget budgeten", "universitet universitetet"},
		"fi": {"kirja kirjan kirjat kirjoja kirjassa", "talo talot talossa taloja", "päivä päivät päivän päivässä"},
		"nl": {"boek boeken", "huis huizen", "opleiding opleidingen", "coördinatie coordinatie", "foto's foto’s foto", "België Belgie"},
		"fr": {"cheval chevaux", "école écoles l'école l’école d'école ecole", "amitié l'amitié amitie", "troisième troisieme", "bibliothèque bibliothèques"},
		"it": {"libro libri", "orario orari", "casa case", "città citta", "Italia d'Italia d’Italia", "università universita dell'università", "biblioteca biblioteche"},
		"es": {"casa casas", "libro libros", "hora horas", "canción canciones cancion", "año años ano", "luz luces", "niño niños", "mes meses", "biblioteca bibliotecas"},
		"pt": {"casa casas", "livro livros", "estação estações estacao", "animal animais", "avião aviões", "biblioteca bibliotecas", "jardim jardins", "água d'água"},
		"pl": {"książka książki książkę książek", "szkoła szkoły szkole szkół", "biblioteka biblioteki bibliotece", "miasto miasta miastem"},
		"xx": {"Québec Quebec", "L'amitié amitie", "Ελλάδα ελλαδα", "ёлка елка", "ﬁnal final", "ＡＢＣ abc"},
	} {
		for _, line := range lines {
			forms := strings.Fields(line)
			want := terms(r, language, forms[0])
			for _, form := range forms[1:] {
				if got := terms(r, language, form); got != want {
					t.Errorf("%s: %q has the terms %q, %q has %q", language, form, got, forms[0], want)
				}
			}
		}
	}
}

// TestOtherWordsStayApart: letters that tell words apart, and substitutes that are none.
func TestOtherWordsStayApart(t *testing.T) {
	r := words.NewReader()
	for language, lines := range map[string][]string{
		"sv": {"boende bonde bönde", "tåg tag", "lån lan", "råd rad", "höst host"},
		"da": {"boende bønder", "år ar", "kø ko"},
		"no": {"boende bønder", "mål mal", "før for"},
		"fi": {"talli tälli", "hän han"},
		"de": {"Bauer Bur", "neue Nu", "Boeing Bing", "Poet Pete"},
	} {
		for _, line := range lines {
			var all []string
			for _, form := range strings.Fields(line) {
				all = append(all, terms(r, language, form))
			}
			if slices.Sort(all); len(slices.Compact(all)) != len(strings.Fields(line)) {
				t.Errorf("%s: the terms of %q are %q", language, line, all)
			}
		}
	}
}

func TestStopWords(t *testing.T) {
	r := words.NewReader()
	for language, word := range map[string]string{"en": "the", "de": "über", "fr": "à", "pl": "jest", "en-GB": "", "xx": ""} {
		got, stop := r.Terms(language, word)
		if stop != (word != "") || word != "" && !slices.Equal(got, []string{word}) {
			t.Errorf("Terms(%q, %q) are %q, %v", language, word, got, stop)
		}
	}
	if got, stop := r.Terms("fr", words.Lower("l’ami")); stop || len(got) != 1 {
		t.Errorf("l’ami: %q, %v", got, stop)
	}
}

func FuzzWords(f *testing.F) {
	f.Add("de", "Die Straße, l’amitié d'Italia — Müller's")
	f.Add("pl", "książkami najniebezpieczniejszych")
	f.Add("fi", strings.Repeat("äiti", 200))
	f.Add("xx", "図書館は\xff月曜日を")
	f.Add("", "\u0301\u0301")
	r := words.NewReader()
	f.Fuzz(func(t *testing.T, tag, text string) {
		language, text := words.Language(text), words.Normal(text)
		for _, one := range []string{language, words.Of(tag), tag, "da", "fi", "fr", "it", "nl", "pl", "pt"} {
			last := 0
			for start, end := range words.Each(text) {
				if start < last || end <= start || end > len(text) {
					t.Fatalf("a word from %d to %d after %d", start, end, last)
				}
				last = end
				word := words.Lower(text[start:end])
				first, stop := r.Terms(one, word)
				for _, term := range first {
					if term == "" || len(term) > words.MaxTerm {
						t.Errorf("%q has the term %q", word, term)
					}
				}
				if again, same := r.Terms(one, word); same != stop || !slices.Equal(first, again) {
					t.Errorf("%q has the terms %q, then %q", word, first, again)
				}
			}
			_, _ = r.Terms(one, text)
		}
	})
}
