package extract

import "strings"

// doubtOf looks at the words that the names in class and id are made of.
func doubtOf(class, id string) doubt {
	for _, names := range [...]string{class, id} {
		for name := range strings.FieldsSeq(names) {
			if d := doubtOfName(name); d != doubtNone {
				return d
			}
		}
	}
	return doubtNone
}

// doubtOfName takes a name apart at its hyphens, underscores and capitals. What
// says of a wrapper that it has, or has not, something beside it is no doubt.
func doubtOfName(name string) (d doubt) {
	if strings.HasPrefix(name, "message-user") && name != "message-userContent" || name == "signature" || name == "message-signature" {
		return doubtSure // beside or below a post
	}
	if len(name) > 60 {
		return doubtNone
	}
	var lower [64]byte
	word := lower[:0]
	for i := 0; i <= len(name); i++ {
		c := byte('-')
		if i < len(name) {
			c = name[i]
		}
		upper := c >= 'A' && c <= 'Z'
		if upper && i > 0 && name[i-1] >= 'a' && name[i-1] <= 'z' || !upper && !isNameByte(c) {
			switch w := doubtOfWord(string(word)); w {
			case wordWith:
				return doubtNone
			case doubtNone:
			default:
				d = w
			}
			word = word[:0]
		}
		if upper {
			c += 'a' - 'A'
		}
		if isNameByte(c) {
			word = append(word, c)
		}
	}
	return d
}

func isNameByte(c byte) bool { return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c >= 0x80 }

// wordWith is a word after which a name says what stands beside.
const wordWith doubt = 255

func doubtOfWord(word string) doubt {
	switch word {
	case "with", "has", "have", "no", "without", "is", "hide", "uden", "med", "ohne", "mit":
		return wordWith
	case "comments", "comment", "commentlist", "disqus", "respond", "kommentare", "kommentarer", "commentaires", "comentarios", "reacties":
		return doubtTalk
	case "recommended", "recommendation", "recommendations", "recommends", "anbefalede", "empfehlungen", "recirc", "readmore", "morefrom",
		"popular", "trending", "mostread", "bestseller", "bestsellers", "recently",
		"signup", "subscribe", "subscription", "optin",
		"share", "shares", "sharing", "sharebar", "social", "socials", "teilen", "partage", "compartir",
		"prevnext", "postnav",
		"sidebar", "promo", "promos", "promotion", "advert", "advertisement", "advertising", "adsbygoogle", "ads", "ad", "anzeige", "annonce", "werbung", "reklame",
		"sponsor", "sponsored", "banner", "cta",
		"popup", "modal", "overlay", "lightbox", "tooltip", "dropdown",
		"tags", "taglist", "toolbar", "print", "skip", "feedback", "wishlist", "minicart", "toc", "footer", "copyright", "login",
		"menu", "nav", "navigation", "navbar", "flyout", "megamenu", "languages", "langswitcher":
		return doubtName
	case "related", "relaterede", "relaterte", "relaterade", "relaterat", "verwandte", "relacionados", "relacionadas", "similaires", "correlati",
		"upsell", "upsells", "crosssell", "crosssells", "newsletter", "nyhedsbrev", "nyhetsbrev", "breadcrumb", "breadcrumbs", "pagination", "pager", "paging", "cookie", "cookies", "consent", "gdpr",
		"facets", "filters", "postprofile", "userinfo", "usertitle", "taboola", "outbrain", "addthis", "addtoany", "sharedaddy":
		return doubtSure
	}
	return doubtNone
}
