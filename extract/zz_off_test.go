package extract

func toggles() []int         { return []int{0} }
func setOff(int)             {}
func offName(int) string     { return "" }
