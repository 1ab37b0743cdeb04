package terms

// isStop reports whether a word tells nothing of what a text is about: articles,
// pronouns, auxiliaries, prepositions, conjunctions, the words that questions begin
// with, and what contractions leave. A switch costs nothing at start; a map of as
// many words costs 10 us.
func isStop(w string) bool {
	switch w {
	case "a", "an", "the",
		"i", "me", "my", "mine", "myself", "we", "us", "our", "ours", "ourselves", "you", "your", "yours", "yourself", "yourselves",
		"he", "him", "his", "himself", "she", "her", "hers", "herself", "it", "its", "itself", "they", "them", "their", "theirs", "themselves",
		"this", "that", "these", "those", "there", "here",
		"am", "is", "are", "was", "were", "be", "been", "being", "have", "has", "had", "having", "do", "does", "did", "doing", "done",
		"will", "would", "shall", "should", "can", "could", "may", "might", "must",
		"and", "or", "but", "nor", "so", "if", "then", "else", "than", "because", "as", "while", "until",
		"of", "at", "by", "for", "with", "about", "against", "into", "through", "during", "before", "after", "between", "above", "below",
		"to", "from", "up", "down", "in", "out", "on", "off", "over", "under", "again", "further", "once",
		"what", "which", "who", "whom", "whose", "when", "where", "why", "how",
		"all", "any", "both", "each", "few", "more", "most", "other", "some", "such", "no", "not", "only", "own", "same", "too", "very", "just", "also", "let",
		"s", "t", "d", "ll", "m", "o", "re", "ve",
		"i'm", "i've", "i'd", "i'll", "you're", "you've", "you'd", "you'll", "he'd", "he'll", "she'd", "she'll",
		"it'd", "it'll", "we're", "we've", "we'd", "we'll", "they're", "they've", "they'd", "they'll",
		"isn't", "aren't", "wasn't", "weren't", "hasn't", "haven't", "hadn't", "doesn't", "don't", "didn't",
		"won't", "wouldn't", "shan't", "shouldn't", "can't", "cannot", "couldn't", "mustn't", "mightn't":
		return true
	}
	return false
}
