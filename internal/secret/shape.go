package secret

import (
	_ "embed"
	"encoding/base64"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"cardwright/internal/parallel"
)

// matcher returns where the credential around the sign at an offset begins and ends,
// if there is one. Its work is bounded, or nothing up to end is looked at again.
type matcher func(text string, sign int) (start, end int, ok bool)

// shapes lists the credentials without spaces that it takes more to tell than a regular
// expression, by signs in them.
var shapes = []struct {
	what, signs string
	whole       bool // the sign begins a word
	match       matcher
}{
	{"a JSON Web Token", "eyJ", true, webToken},
	{"a JSON Web Token in base64", "ZXlK", true, encodedWebToken},
	{"a private key in base64", "LS0tLS1CRUdJTi 0tLS0tQkVHSU4g tLS0tLUJFR0lOI", false, encodedPEM},
	{"a private key in base64", "MI MH MC", true, encodedDER},
	{"a private key in base64", "eyJ eyAi ewog", true, encodedJWK},
	{"an Okta token", "00", true, varied(42, "-")},
	{"a Vault token", "s.", true, varied(26, ".")},
	{"a Mailgun key", "-", false, mailgunKey},
	{"a Discord bot token", ".", false, discordToken},
	{"what looks like a token", "_ -", false, prefixed},
}

// around makes a matcher by the regular expression of a credential. It begins where
// the word that the sign stands in does; others are characters of words as well.
func around(others, expression string) matcher {
	whole := parallel.Regexp("^(?:" + expression + ")")
	return func(text string, sign int) (start, end int, ok bool) {
		start = sign
		const most = 100
		for start > max(0, sign-most) && (isWord(text[start-1]) || strings.IndexByte(others, text[start-1]) >= 0) {
			start--
		}
		if sign-start == most {
			return 0, 0, false
		}
		end, ok = endOfToken(text, start, whole())
		return start, end, ok
	}
}

// webToken finds a JWS in compact form (RFC 7515 section 7.1), or a JWE.
func webToken(text string, start int) (_, end int, ok bool) {
	const longest, longestHeader = 32 << 10, 1 << 10
	run := text[start:min(len(text), start+longest)]
	header, rest, _ := strings.Cut(run[:min(len(run), longestHeader)], ".")
	data, err := base64.RawURLEncoding.DecodeString(header)
	if err != nil || rest == "" || !strings.Contains(string(data), `"alg"`) {
		return 0, 0, false
	}
	var parts []string
	for len(parts) <= 5 {
		stop := endOf(run, end, func(b byte) bool { return isWord(b) || b == '-' })
		if stop == end {
			break
		}
		parts = append(parts, run[end:stop])
		end = stop
		if end == len(run) || run[end] != '.' {
			break
		}
		end++
	}
	ok = len(parts) == 3 && len(parts[1]) >= 8 && len(parts[2]) >= 8 || len(parts) == 5
	return start, start + len(strings.TrimRight(run[:end], ".")), ok
}

// encodedWebToken finds a JSON Web Token that is in base64 once more.
func encodedWebToken(text string, start int) (_, end int, ok bool) {
	const longest = 32 << 10
	_, _, ok = webToken(string(decode(text, start, longest)), 0)
	return start, endOfBase64(text, start), ok
}

var (
	vendorPrefix = parallel.Regexp(`^(?:[a-z][a-z0-9_-]+|[A-Z]{2}[A-Z_-]*)$`)
	// publicPrefix begins what looks like a token and may be known: digests, sessions, keys.
	publicPrefix = parallel.Regexp(`^(?:sha\d+|md5|cs|pk|phc|pub|public)(?:[_-]|$)|publishable`)
)

// prefixed finds tokens of vendors that are in no table: a few characters, _ or -, and
// more letters of both cases and digits in one piece than names have.
func prefixed(text string, sign int) (start, end int, ok bool) {
	const shortest, longestPrefix, fewDigits, bits = 30, 24, 2, 4 // characters; bits per character
	end = endOf(text, sign+1, isAlnum)
	if end-sign <= shortest {
		return 0, 0, false
	}
	start = sign
	for start > max(0, sign-longestPrefix) && (isWord(text[start-1]) || text[start-1] == '-') {
		start--
	}
	prefix, body := text[start:sign], text[sign+1:min(end, sign+longestToken)]
	digits := 0
	for i := range len(body) {
		if body[i] <= '9' {
			digits++
		}
	}
	return start, end, len(prefix) < longestPrefix && vendorPrefix().MatchString(prefix) &&
		!publicPrefix().MatchString(prefix) && digits > fewDigits &&
		body != strings.ToLower(body) && body != strings.ToUpper(body) && entropy(body) >= bits && !IsFiller(body)
}

// endOf returns where the bytes of a kind end that begin at an offset.
func endOf(text string, at int, of func(byte) bool) int {
	for at < len(text) && of(text[at]) {
		at++
	}
	return at
}

func isBase64(b byte) bool { return isAlnum(b) || strings.IndexByte("+/-_", b) >= 0 }

// endOfBase64 returns where base64 or base64url ends, over the ends of lines.
func endOfBase64(text string, at int) int {
	for {
		end := endOf(text, at, isBase64)
		at = endOf(text, end, isSpace)
		if at == end || endOf(text[:min(len(text), at+shortToken)], at, isBase64)-at < shortToken {
			return endOf(text, end, func(b byte) bool { return b == '=' })
		}
	}
}

// decode returns what so many characters of base64 or base64url mean.
func decode(text string, at, most int) []byte {
	plain := strings.Map(func(r rune) rune {
		switch r {
		case '-':
			return '+'
		case '_':
			return '/'
		case ' ', '\n', '\r', '\t':
			return -1
		}
		return r
	}, text[at:min(len(text), at+most)])
	plain = plain[:endOf(plain, 0, isBase64)/4*4]
	data, _ := base64.StdEncoding.DecodeString(plain)
	return data
}

// encodedPEM finds the base64 of a private key in PEM. The sign is that of its first
// line at one of the three places where a byte can stand in base64.
func encodedPEM(text string, sign int) (start, end int, ok bool) {
	const header, longest = 200, 1 << 10 // characters
	for ahead := range min(4, sign+1) {
		if strings.Contains(string(decode(text, sign-ahead, header)), "PRIVATE KEY") {
			for start = sign; start > max(0, sign-longest) && isBase64(text[start-1]); {
				start--
			}
			return start, endOfBase64(text, sign), true
		}
	}
	return 0, 0, false
}

// encodedDER finds the base64 of a private key in PKCS #1, #8 or #12 or SEC 1: in all
// of them a sequence begins with the number of a version. That of a certificate or a
// public key begins with another sequence or a longer number.
func encodedDER(text string, sign int) (_, end int, ok bool) {
	const shortest, header = 60, 16 // characters
	if endOf(text[:min(len(text), sign+shortest)], sign, isBase64)-sign < shortest {
		return 0, 0, false
	}
	data := decode(text, sign, header)
	length := 2
	if data[1]&0x80 != 0 {
		length += int(data[1] & 0x7F)
	}
	const sequence, integer = 0x30, 0x02
	if data[0] != sequence || length+3 >= len(data) || data[length] != integer || data[length+1] != 1 ||
		data[length+2] > 3 || strings.IndexByte("\x02\x04\x30", data[length+3]) < 0 {
		return 0, 0, false
	}
	return sign, endOfBase64(text, sign), true
}

// encodedJWK finds the base64 of a JSON Web Key with a private part.
func encodedJWK(text string, sign int) (_, end int, ok bool) {
	const longest = 4 << 10
	end = endOf(text[:min(len(text), sign+longest)], sign, isBase64)
	key := string(decode(text[:end], sign, longest))
	isPrivate := func(m Match) bool { return m.What == whatPart }
	if !strings.Contains(key, `"kty"`) || !slices.ContainsFunc(findAssignments(key), isPrivate) {
		return 0, 0, false
	}
	return sign, endOfBase64(text, sign), true
}

// findUserInfo finds the passwords of scheme://user:password@host, and tokens that
// stand there by themselves.
func findUserInfo(text string) (found []Match) {
	const sign, what = "://", "a user name and password in a URL"
	for from := 0; ; {
		i := strings.Index(text[from:], sign)
		if i < 0 {
			return found
		}
		from += i + len(sign)
		authority := text[from:min(len(text), from+longestToken)]
		if end := strings.IndexAny(authority, " \t\n\r/?#\"'`<>()"); end >= 0 {
			authority = authority[:end]
		}
		at := strings.LastIndexByte(authority, '@')
		if at < 0 {
			continue
		}
		user, password, ok := strings.Cut(authority[:at], ":")
		const publicHost, shortest = "sentry", 20 // its keys are meant to be known
		switch {
		case !ok && len(user) >= shortest && isCredential(user) && !strings.Contains(authority[at:], publicHost):
			found = append(found, Match{What: what, Start: from, End: from + at})
		case password != "" && !IsFiller(password) && (user != "" && !isUserWord(user) || !isPasswordWord(password)):
			found = append(found, Match{What: what, Start: from + len(user) + 1, End: from + at})
		}
	}
}

// varied finds so many characters of words, or others, as few things have that are
// that long and mix digits with letters of both cases.
func varied(length int, others string) matcher {
	return func(text string, start int) (_, end int, ok bool) {
		end = endOf(text[:min(len(text), start+length+1)], start, func(b byte) bool {
			return isWord(b) || strings.IndexByte(others, b) >= 0
		})
		token := text[start:end]
		return start, end, len(token) == length && token != strings.ToLower(token) && token != strings.ToUpper(token) &&
			strings.ContainsAny(token, "0123456789") && random(token)
	}
}

var mailgun = parallel.Regexp(`^[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}`)

func mailgunKey(text string, sign int) (start, end int, ok bool) {
	const digits, dash = 32, 9
	start = sign - digits
	if start < 0 || sign+dash >= len(text) || text[sign+dash] != '-' || start > 0 && isWord(text[start-1]) {
		return 0, 0, false
	}
	end, ok = endOfToken(text, start, mailgun())
	return start, end, ok
}

var discord = around("-", `[MNO][\w-]{22,27}\.[\w-]{6}\.[\w-]{27,}`)

func discordToken(text string, sign int) (start, end int, ok bool) {
	if sign+7 >= len(text) || text[sign+7] != '.' {
		return 0, 0, false
	}
	return discord(text, sign)
}

// endOfHeader returns where the credentials of a request begin and end that are
// behind Bearer or Basic in front of an offset; end is 0 where there are none.
func endOfHeader(text string, from, to int) (start, end int) {
	before := text[max(0, from-len("Bearer ")):from]
	bearer := strings.EqualFold(before, "Bearer ")
	if !bearer && !strings.EqualFold(before[min(len(before), len("Bearer ")-len("Basic ")):], "Basic ") {
		return 0, 0
	}
	start = endOf(text[:to], from, func(b byte) bool { return strings.IndexByte("\"'`", b) >= 0 })
	end = endOf(text[:to], start, func(b byte) bool { return isBase64(b) || strings.IndexByte(".~=", b) >= 0 })
	value := strings.TrimRight(text[start:end], ".-")
	ok := isLogin(value)
	if bearer {
		ok = len(value) >= shortToken && isCredential(strings.ReplaceAll(value, "/", "+"))
	}
	if !ok {
		return 0, 0
	}
	return start, start + len(value)
}

// isLogin reports whether a text is a user name and a password in base64, and not
// those that documentation shows.
func isLogin(value string) bool {
	data, err := base64.StdEncoding.DecodeString(value)
	if err != nil {
		data, err = base64.RawURLEncoding.DecodeString(strings.TrimRight(value, "="))
	}
	user, password, ok := strings.Cut(string(data), ":")
	return err == nil && ok && utf8.Valid(data) && password != "" && !strings.ContainsFunc(string(data), unseen) &&
		!IsFiller(password) && (!isUserWord(user) || !isPasswordWord(password))
}

// findKeys finds private keys with lines that say so: in PEM, of OpenPGP and SSH, and
// of PuTTY.
func findKeys(text string) (found []Match) {
	const mark, puttyMark = "PRIVATE KEY", "Private-Lines:"
	for from := 0; ; {
		i := strings.Index(text[from:], mark)
		if i < 0 {
			break
		}
		from += i + len(mark)
		const longestLine = 80
		line := text[max(0, from-longestLine):from]
		line = line[strings.LastIndexByte(line, '\n')+1:]
		begin := strings.LastIndex(line, "---BEGIN ")
		if begin < 0 {
			begin = strings.LastIndex(line, "--- BEGIN ")
		}
		if begin < 0 || !strings.HasPrefix(strings.TrimPrefix(strings.TrimPrefix(text[from:], " BLOCK"), " "), "---") {
			continue
		}
		begin = len(strings.TrimRight(line[:begin], "-"))
		start := from - len(line) + begin
		found = append(found, Match{"a private key in PEM", start, endOfPEM(text, from), len("-----BEGIN ")})
		from = found[len(found)-1].End
	}
	if i := strings.Index(text, puttyMark); i >= 0 && strings.Contains(text[:i], "PuTTY-User-Key-File-") {
		found = append(found, Match{What: "a private key of PuTTY", Start: i + len(puttyMark), End: len(text)})
	}
	return found
}

// endOfPEM returns where a private key ends, whose first line goes on at an
// offset: behind the line that closes it, before another key, or with the text.
func endOfPEM(text string, from int) int {
	const end = "PRIVATE KEY"
	if i := strings.Index(text[from:], end); i >= 0 {
		key := text[from : from+i]
		if begin := strings.LastIndex(key, "BEGIN "); begin > strings.LastIndex(key, "END ") {
			return from + len(strings.TrimRight(key[:begin], "- "))
		}
		from += i + len(end)
		return min(len(text), endOf(text, from, func(b byte) bool { return b == '-' || b == ' ' || isUpper(b) }))
	}
	return len(text)
}

func isUpper(b byte) bool { return 'A' <= b && b <= 'Z' }

// logins are the credentials in the words around them, a row each: what a message calls
// one, a word that each of them has, and a regular expression whose last group is secret.
//
//go:embed logins.txt
var logins string

// pair is a row of the table.
type pair struct {
	what, word string
	expression func() *regexp.Regexp
}

var pairs = sync.OnceValue(func() (all []pair) {
	for row := range rowsOf(logins) {
		all = append(all, pair{row[0], row[1], parallel.Regexp(row[2])})
	}
	return all
})

// findLogins finds the credentials of [logins].
func findLogins(text string) (found []Match) {
	for _, l := range pairs() {
		if !strings.Contains(text, l.word) {
			continue
		}
		for _, at := range l.expression().FindAllStringSubmatchIndex(text, -1) {
			user, value := text[at[2]:at[3]], text[at[4]:at[5]]
			ok := !IsFiller(value) && (!isUserWord(user) || !isPasswordWord(value))
			if l.word == "uthorization" {
				ok = isCredential(value) && strings.ContainsAny(value, "0123456789")
			}
			if ok {
				found = append(found, Match{What: l.what, Start: at[4], End: at[5]})
			}
		}
	}
	return found
}
