package main

import "time"

// paper is one text with what its file says about itself.
type paper struct {
	title, author, subject, keywords string
	created, modified                time.Time
	blocks                           []block
}

// block is one piece of a paper, in reading order.
type block struct {
	kind kind
	text string
	note string     // a footnote, in DOCX only
	rows [][]string // of a table; the first row is its head
}

type kind int

// The kinds of block.
const (
	title kind = iota
	heading
	paragraph
	item
	table
	newPage // in PDF only
)

// permitGuide is the text of the PDF: two pages with a table on each.
func permitGuide() paper {
	return paper{
		title:    "Guide to building permits in Fjordby",
		author:   "Fjordby Municipality, Planning and Building",
		subject:  "Checklist of drawings, fees for 2026 and rules for the flood zone",
		keywords: "building permit, drawings, fees, flood zone",
		created:  time.Date(2026, 4, 28, 9, 0, 0, 0, time.UTC),
		modified: time.Date(2026, 10, 29, 12, 30, 0, 0, time.UTC),
		blocks: []block{
			{kind: title, text: "Guide to building permits in Fjordby"},
			{kind: paragraph, text: "This guide is for those who build a house, an extension, a garage or a shed. It tells you which drawings we need, what the permit costs, and what is special about the streets near the harbour. Read it before you draw: three applications in five come back because something is missing."},
			{kind: heading, text: "1. Checklist of drawings"},
			{kind: item, text: "Site plan, 1:500, with north arrow, boundaries, trees thicker than 30 cm and the distance from each wall to each boundary."},
			{kind: item, text: "Floor plans, 1:100, with the use of each room and the width of doors and corridors."},
			{kind: item, text: "Elevations, 1:100, from all sides, with the height of eaves and ridge above the natural ground."},
			{kind: item, text: "One section through stairs or loft, with the height of the rooms."},
			{kind: item, text: "A description of materials and colours. A photograph of the neighbouring houses helps more than many words."},
			{kind: heading, text: "2. Distances and heights"},
			{kind: table, rows: [][]string{
				{"Building", "Distance to boundary", "Greatest height"},
				{"One-family house", "2.5 m", "8.5 m, two storeys"},
				{"Garage or carport", "0 m, walls up to 12 m long", "2.5 m at the boundary"},
				{"Shed under 10 square metres", "0 m", "2.5 m"},
				{"Wood-burning stove, chimney", "5 m to the neighbour's windows", "1 m above the ridge"},
			}},
			{kind: paragraph, text: "A local plan may ask for more, or permit less. Where it does, the local plan wins. The gravel pits at Kildegård and the old town around Kirkestræde both have plans of their own, with rules for roof tiles, windows and the colour of plaster."},
			{kind: heading, text: "3. How your case moves"},
			{kind: paragraph, text: "When your application has arrived, a case worker reads it within five working days and writes to you if anything is missing. The clock starts when nothing is. If a dispensation is needed, your neighbours have two weeks to say what they think, and you are shown their answers before we decide. You may not dig before the permit is in your hands, but you may clear the ground and put up a fence around it."},
			{kind: newPage},
			{kind: heading, text: "4. Fees in 2026"},
			{kind: table, rows: [][]string{
				{"Kind of case", "Fee", "Usual time"},
				{"Garage, carport, shed", "1,150 kr.", "3 weeks"},
				{"Extension", "4,300 kr.", "5 weeks"},
				{"One-family house", "9,800 kr.", "6 weeks"},
				{"Dispensation from a local plan", "no fee", "10 weeks"},
				{"Advice before you apply, half an hour", "no fee", "within a week"},
			}},
			{kind: paragraph, text: "The fee is due when the permit is given, and it isn't paid back when you change your mind. If we take longer than the time that is set by law, half of it falls away without your having to ask."},
			{kind: heading, text: "5. The flood zone"},
			{kind: paragraph, text: "The flood zone lies between the harbour basin and the railway, and takes in the whole of Havnegade and Åmunding. There, the floor of a new house has to be at least 2.4 metres above normal water. Extensions of less than 20 square metres may follow the floor of the house, provided that sockets and switches are placed 60 centimetres up."},
			{kind: item, text: "Cellars are not permitted in new houses."},
			{kind: item, text: "Drains need a valve against backwater, with a lid that can be opened without tools."},
			{kind: item, text: "Oil tanks have to be anchored, or moved out of the zone."},
			{kind: heading, text: "6. When the work is done"},
			{kind: paragraph, text: "Report that the work is finished, with photographs of the smoke alarms, the railings and the number on the house. You get a permit to move in within ten working days. Living in the house before that is done at your own risk, and your insurance may see it in the same way."},
			{kind: heading, text: "7. Ask us"},
			{kind: paragraph, text: "Planning and Building, Rådhuspladsen 4, second floor, 9999 Fjordby. Telephone +45 00 12 34 90 on weekdays from 9 to 12. Søren Egeskov leads the department. The text of this guide is kept up to date on www.fjordby.example; if your copy is older than the one there, use that."},
		},
	}
}

// daycareForm is the text of the DOCX: a form with a table and a footnote.
func daycareForm() paper {
	return paper{
		title:    "Application form for a place in daycare",
		author:   "Fjordby Municipality, Children and Schools",
		subject:  "Form for parents who can't apply online",
		keywords: "daycare, nursery, kindergarten, childminder, form",
		created:  time.Date(2026, 1, 12, 8, 15, 0, 0, time.UTC),
		modified: time.Date(2026, 6, 18, 10, 45, 0, 0, time.UTC),
		blocks: []block{
			{kind: title, text: "Application form for a place in daycare"},
			{kind: paragraph, text: "Use this form if you have no electronic identity. Write in capitals, sign on the last line, and bring it to Citizen Service at the Town Hall, or put it in the letter box on the square. You get a receipt within five working days.", note: "Everybody else applies online, and gets the receipt at once."},
			{kind: heading, text: "About the child"},
			{kind: table, rows: [][]string{
				{"Question", "Your answer"},
				{"Full name of the child", ""},
				{"Date of birth, or the day it is expected", ""},
				{"Address", ""},
				{"Languages spoken at home", ""},
				{"Allergies that the kitchen has to know of", ""},
			}},
			{kind: heading, text: "The place you wish for"},
			{kind: paragraph, text: "Name up to three centres, or a childminder and two centres, in the order you prefer. Places begin on the 1st or the 15th of a month.", note: "The guarantee holds from the age of 26 weeks, and not before."},
			{kind: table, rows: [][]string{
				{"Centre", "Village", "Open", "Ages"},
				{"Muslingen", "Fjordby, by the harbour", "6:30 to 17:00", "0 to 6"},
				{"Fyrtårnet", "Fjordby, by the station", "6:15 to 16:45", "0 to 6"},
				{"Lindegården", "Nørre Lind", "6:30 to 16:30", "0 to 3"},
				{"Skovtrolden", "Vesterhede, in the wood", "7:00 to 16:30", "3 to 6"},
				{"Kilden", "Kildegård", "6:30 to 16:30", "0 to 6"},
			}},
			{kind: paragraph, text: "The other nine centres are listed at the desk. Skovtrolden is outdoors all day and all year; children need rain clothes, wool and a change of everything."},
			{kind: heading, text: "Brothers and sisters, and a free place"},
			{kind: item, text: "Write the names of brothers and sisters who have a place already. You pay in full for the dearest place and half for the others."},
			{kind: item, text: "Tick here if you apply for a free or cheaper place because of a low income. We look your income up in the register; you needn't enclose payslips."},
			{kind: item, text: "Tick here if you live alone with the child."},
			{kind: heading, text: "Signature"},
			{kind: paragraph, text: "With my signature I confirm that what I have written is true, and that I have custody of the child. If custody is shared, both parents sign."},
			{kind: paragraph, text: "Questions? The placement office answers on telephone +45 00 12 34 65, Monday to Thursday from 9 to 14. Ask for Ditte or Malik; both speak English, and Malik speaks Arabic as well."},
		},
	}
}
