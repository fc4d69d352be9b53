package extract

import "strings"

// maxHeading is how long a heading may be that names a part of the frame.
const maxHeading = 50

// doubtOfHeading knows the first lines of what stands beside the content in the
// languages of Europe's sites: where classes are hashes, nothing else tells.
func doubtOfHeading(text string) doubt {
	switch strings.TrimRight(strings.ToLower(text), " :…?!.") {
	case "related", "related articles", "related posts", "related content", "related news", "related stories", "related pages", "related links", "related products",
		"you may also like", "you might also like", "you may also be interested in", "you might also be interested in", "recommended", "recommended for you", "customers also bought",
		"recently viewed", "most read", "most popular", "popular posts", "trending", "trending now", "share", "share this", "share this article", "share this page",
		"newsletter", "our newsletter", "follow us", "subscribe", "was this page helpful", "was this helpful", "did you find what you were looking for", "advertisement", "sponsored",
		"relaterede artikler", "relaterede sider", "relaterede nyheder", "relateret indhold", "læs også", "mest læste", "andre læste også", "del", "del artiklen", "del siden", "nyhedsbrev", "følg os", "fandt du det, du søgte", "annonce",
		"relaterte artikler", "les også", "mest lest", "relaterat", "relaterade artiklar", "läs också", "läs även", "mest läst", "dela", "dela artikeln", "nyhetsbrev",
		"das könnte sie auch interessieren", "das könnte dich auch interessieren", "ähnliche artikel", "ähnliche beiträge", "ähnliche produkte", "mehr zum thema", "lesen sie auch", "meistgelesen", "teilen", "artikel teilen", "anzeige",
		"à lire aussi", "lire aussi", "articles similaires", "sur le même sujet", "les plus lus", "partager", "partager cet article", "produits similaires", "vous aimerez aussi", "discussions similaires", "similar threads", "similar topics", "suggested topics", "ähnliche themen", "produits associés", "customers also viewed", "people also viewed", "frequently bought together", "andre købte også", "kunder kauften auch", "who is online", "vous aimerez peut-être",
		"te puede interesar", "también te puede interesar", "artículos relacionados", "noticias relacionadas", "lo más leído", "lo más visto", "compartir", "productos relacionados",
		"leggi anche", "articoli correlati", "potrebbe interessarti", "i più letti", "condividi", "prodotti correlati",
		"lees ook", "gerelateerde artikelen", "meest gelezen", "delen", "gerelateerde producten",
		"leia também", "artigos relacionados", "mais lidas", "compartilhar", "partilhar", "zobacz także", "czytaj także", "читайте также":
		return doubtSure
	case "tags", "topics", "categories", "more", "more news", "more stories", "read more", "read next", "read also", "see also", "latest news", "latest posts", "recent posts", "recent articles", "on this page", "in this article", "contents",
		"emner", "læs mere", "flere nyheder", "seneste nyheder", "seneste indlæg", "på denne side", "indhold", "läs mer", "fler nyheter", "senaste nytt", "flere saker", "siste nytt",
		"schlagwörter", "themen", "weitere artikel", "weitere meldungen", "weitere nachrichten", "weitere beiträge", "weiterlesen", "auf dieser seite", "inhalt", "inhaltsverzeichnis",
		"voir aussi", "sommaire", "dans la même rubrique", "dernières nouvelles", "mots-clés", "etiquetas", "temas", "más noticias", "últimas noticias", "en esta página", "ultime notizie", "op deze pagina", "meer nieuws":
		return doubtLinks
	}
	return doubtNone
}
