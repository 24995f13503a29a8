package mapping

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"cardwright/internal/parallel"
	"cardwright/schema"
)

// Title spells an id for people: "aws-cost-report" as "AWS Cost Report", and each word
// as the first of the texts does that has a spelling for it. A name that is no id stays
// as it is.
func Title(id string, texts ...string) string {
	if !validID(strings.Trim(strings.ReplaceAll(id, "_", "-"), "-")) {
		return id
	}
	words := strings.FieldsFunc(id, func(r rune) bool { return r == '-' || r == '_' })
	own := spelling(words, texts)
	for i, w := range words {
		switch known := cmp.Or(own[w], spelled[w]); {
		case known != "":
			words[i] = known
		case i > 0 && i < len(words)-1 && joins[w]:
		default:
			r, n := utf8.DecodeRuneInString(w)
			words[i] = string(unicode.ToUpper(r)) + w[n:]
		}
	}
	return strings.Join(words, " ")
}

// spelling returns how texts spell words that have a spelling of their own: with a
// capital letter inside, or in capital letters wherever they stand.
func spelling(words, texts []string) map[string]string {
	own, plain := map[string]string{}, map[string]bool{}
	for _, text := range texts {
		for t := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
			w := strings.ToLower(t)
			switch {
			case len(t) < 2 || !slices.Contains(words, w) || joins[w]:
			case strings.ToLower(t[1:]) == t[1:]:
				plain[w] = true
			case own[w] == "" || strings.ToUpper(own[w]) == own[w]:
				own[w] = t
			}
		}
	}
	maps.DeleteFunc(own, func(w, t string) bool { return strings.ToUpper(t) == t && (plain[w] || len(t) > 5) })
	return own
}

// joins are the words that stay small between others, and that say nothing as tags.
var joins = setOf("a an and as at by for from in into of on or per the to via vs with")

// spelled are words that have a spelling of their own.
var spelled = func() map[string]string {
	words := map[string]string{}
	for w := range strings.FieldsSeq(`
A2A AI API APIs APM AWS AKS BI CAD CDN CI CD CFO CLI CMS CPU CRM CSS CSV CTO CV DB DBA DNS DOCX EC2
ECS EKS ERP ESLint ETL FAQ GCP GDPR GKE GPT GPU GraphQL gRPC HPC HR HTML HTTP HTTPS IAM ID IDE iOS
IoT IP IT JS JSON JWT KPI LLM LLMs macOS MCP MIME ML MLOps MongoDB MVP MySQL NLP npm NVIDIA OAuth
OCR OIDC OKR OpenAI OpenAPI OS OWASP PDF PDFs PHP PNG PostgreSQL PPTX PR PRD PRs QA RAG RDS RFC ROI
RPC RSS S3 SaaS SAML SBOM SDK SDKs SEO SLA SLO SMS SOC SQL SQLite SRE SSE SSH SSL SSO SVG TDD TLS
TOML TTS TypeScript JavaScript UI URL URLs UX VM VPC VPN XLSX XML XSS YAML YouTube GitHub GitLab
LinkedIn DevOps DevSecOps WordPress WebSocket WebSockets PowerPoint PowerShell LaTeX arXiv`) {
		words[strings.ToLower(w)] = w
	}
	return words
}()

func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		set[w] = true
	}
	return set
}

// Prose returns a paragraph of Markdown without its markup, "" for what is no prose:
// a heading, a list, a table, code, HTML or a row of badges.
func Prose(paragraph string) string {
	if paragraph == "" || strings.ContainsRune("#<|`-*+>![:=", rune(paragraph[0])) && !strings.HasPrefix(paragraph, "**") {
		return ""
	}
	return strings.NewReplacer("**", "", "`", "").Replace(mdLink().ReplaceAllString(paragraph, "$1"))
}

var mdLink = parallel.Regexp(`!?\[([^\]]*)\]\([^)]*\)`)

// What can be made readable of skills, as the configuration spells it.
const (
	ReadableNames    = "names"
	ReadableTags     = "tags"
	ReadableExamples = "examples"

	ReadableDescriptions = "descriptions"
)

// SpellName spells the name of a skill for people where it is only its id.
func (s *Skill) SpellName() {
	s.Name = Title(s.Name, s.Description)
}

// TagWords tags a skill without tags by the words of its id.
func (s *Skill) TagWords() {
	if len(s.Tags) > 0 {
		return
	}
	for w := range strings.FieldsFuncSeq(s.ID, func(r rune) bool { return r == '-' || r == '_' || r == '.' }) {
		if len(w) > 1 && !joins[w] && !slices.Contains(s.Tags, w) {
			s.Tags = append(s.Tags, w)
		}
	}
	if len(s.Tags) == 0 {
		s.Tags = []string{s.ID}
	}
	s.Places = append(s.Places, Place{Pointer: "/tags", Span: s.Origin})
}

// mostExamples is how many examples a skill has at most that are taken from its
// description.
const mostExamples = 5

// QuoteExamples takes the phrases that a description quotes as examples of a skill that
// has none, where there are two or more: ‘"make a chart", "plot this"’.
func (s *Skill) QuoteExamples() {
	if len(s.Examples) > 0 {
		return
	}
	var phrases []string
	for _, m := range quotedPhrase().FindAllStringSubmatch(s.Description, -1) {
		phrase := strings.Trim(m[1]+m[2], " ,.")
		if words := len(strings.Fields(phrase)); words > 1 && words < 20 && !slices.Contains(phrases, phrase) {
			phrases = append(phrases, phrase)
		}
	}
	if len(phrases) < 2 {
		return
	}
	s.Examples = phrases[:min(len(phrases), mostExamples)]
	for _, p := range s.Places {
		if p.Pointer == "/description" {
			s.Places = append(s.Places, Place{Pointer: "/examples", Span: p.Span})
			break
		}
	}
}

// quotedPhrase is a phrase in double quotes, straight or curly.
var quotedPhrase = parallel.Regexp(`(?:^|[\s(,:/])"([^"\n{}<>$]+)"|“([^”\n{}<>$]+)”`)

// maxID is the length that the Agent Skills specification allows for a name,
// in characters.
const maxID = 64

// validID reports whether s is a name as the Agent Skills specification wants
// it: at most 64 lower-case letters, digits and single hyphens between them.
func validID(s string) bool {
	return s != "" && s == schema.Slug(s) && utf8.RuneCountInString(s) <= maxID
}
