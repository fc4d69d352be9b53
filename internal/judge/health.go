package judge

// Worse reports whether a document that was read lost a field against the
// acknowledged one, or fell under a fifth of its length.
func Worse(f *Facts) bool {
	return f.Content != nil && f.Record != nil && (len(f.Delta.Lost) > 0 || f.shrank())
}

func (f *Facts) shrank() bool {
	return float64(f.Content.Length) < collapse*float64(f.Record.Length)
}
