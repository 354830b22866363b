package app

import (
	"unicode"
	"unicode/utf8"
)

// estimateTokens estimates how many tokens of a current vocabulary (o200k) a text
// costs a model: it cuts the text as such a tokenizer does and knows what pieces of
// each kind cost on average. It is within 15 percent on what duet prints.
func estimateTokens(s string) int {
	cost := 0.0
	for len(s) > 0 {
		n, c := piece(s)
		cost += c
		s = s[n:]
	}
	return int(cost + 0.5)
}

// piece is the length of the next piece and its cost.
func piece(s string) (length int, cost float64) {
	r, n := utf8.DecodeRuneInString(s)
	switch {
	case unicode.IsLetter(r):
		return letterPiece(s, 0)
	case unicode.IsNumber(r):
		for count := 1; n < len(s) && count < 3; count++ {
			r, m := utf8.DecodeRuneInString(s[n:])
			if !unicode.IsNumber(r) {
				break
			}
			n += m
		}
		return n, 1
	case unicode.IsSpace(r):
		return spacePiece(s)
	}
	// One mark before letters belongs to the word.
	if next, _ := utf8.DecodeRuneInString(s[n:]); unicode.IsLetter(next) {
		return letterPiece(s, n)
	}
	return markPiece(s)
}

// letterPiece is a run of letters, after a prefix of one character; it ends before an
// upper-case letter that follows a lower-case one.
func letterPiece(s string, prefix int) (int, float64) {
	n, letters, wide, lower := prefix, 0, 0, false
	for n < len(s) {
		r, m := utf8.DecodeRuneInString(s[n:])
		if !unicode.IsLetter(r) && !unicode.IsMark(r) || lower && unicode.IsUpper(r) {
			break
		}
		lower = lower || unicode.IsLower(r)
		n += m
		letters++
		if r > 0x2000 {
			wide++
		}
	}
	switch {
	case wide > 0:
		return n, max(1, 0.72*float64(letters))
	case n-prefix > letters: // of another alphabet
		return n, max(1, float64(letters)/2.9)
	}
	cost := 1.0
	if prefix > 0 && s[0] != ' ' {
		cost += 0.35 // few words have a token with a mark before them
	}
	if letters > 6 {
		cost += float64(letters-6) / 7
	}
	return n, cost
}

// spacePiece is a run of white space; the last blank before a word belongs to that.
func spacePiece(s string) (int, float64) {
	n := 0
	for n < len(s) {
		r, m := utf8.DecodeRuneInString(s[n:])
		if !unicode.IsSpace(r) {
			break
		}
		n += m
	}
	if n < len(s) && s[n-1] == ' ' {
		if n == 1 {
			r, _ := utf8.DecodeRuneInString(s[1:])
			switch {
			case unicode.IsLetter(r):
				return letterPiece(s, 1)
			case !unicode.IsNumber(r):
				length, cost := markPiece(s[1:])
				return 1 + length, cost
			}
			return 1, 1
		}
		n--
	}
	return n, 1
}

// markPiece is a run of punctuation.
func markPiece(s string) (int, float64) {
	n, count, odd := 0, 0, 0
	for n < len(s) {
		r, m := utf8.DecodeRuneInString(s[n:])
		if unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsSpace(r) {
			break
		}
		n += m
		count++
		if r > 0x7f {
			odd++
		}
	}
	for n < len(s) && (s[n] == '\n' || s[n] == '\r') {
		n++
	}
	return n, max(1, float64(count-odd)/2.6+1.2*float64(odd))
}
