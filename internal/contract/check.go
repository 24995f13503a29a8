package contract

import (
	"fmt"
	"slices"

	"cardwright/internal/diag"
)

// Outcome is the result of a check.
type Outcome int

// The outcomes.
const (
	Passed Outcome = iota
	Failed
	NotTried
)

// Check is the result of one check of an agent.
type Check struct {
	Rule      string // id in the rule catalog, such as contract-streaming
	Interface string // which one: binding, version and URL; "" for the card as a whole
	Outcome   Outcome
	Severity  diag.Severity // of a failed check
	// Message is one sentence: what was seen, what the card declares and what the
	// server did instead, or why nothing was tried.
	Message string
	Pointer string // what promises it, in the card as A2A 1.0 spells it
	Hint    string // what to change, for a failed check
}

// The ids of the checks.
const (
	ruleReachable       = "contract-reachable"
	ruleBinding         = "contract-binding"
	ruleTaskNotFound    = "contract-task-not-found"
	ruleVersion         = "contract-version"
	ruleVersionRefused  = "contract-version-refused"
	ruleSecurity        = "contract-security"
	ruleSecurityOpen    = "contract-security-open"
	ruleStreaming       = "contract-streaming"
	rulePush            = "contract-push"
	ruleExtended        = "contract-extended"
	ruleExtension       = "contract-extension-required"
	ruleTokenURL        = "contract-token-url"
	ruleCard            = "contract-card"
	ruleMessage         = "contract-message"
	pointerStreaming    = "/capabilities/streaming"
	pointerPush         = "/capabilities/pushNotifications"
	pointerExtended     = "/capabilities/extendedAgentCard"
	pointerRequirements = "/securityRequirements"
)

// wanted tells whether a check is to be made.
func (r *run) wanted(rule string) bool {
	return (len(r.Only) == 0 || slices.Contains(r.Only, rule)) && !slices.Contains(r.Skip, rule)
}

func (r *run) add(c Check) {
	if !r.wanted(c.Rule) {
		return
	}
	c.Message, c.Hint = r.scrub(c.Message), r.scrub(c.Hint)
	r.checks = append(r.checks, c)
}

// verdict collects the result of one check.
type verdict struct {
	r       *run
	rule    string
	at      string
	pointer string
}

func (r *run) check(p *peer, rule, pointer string) verdict {
	v := verdict{r: r, rule: rule, pointer: pointer}
	if p != nil {
		v.at = p.String()
	}
	return v
}

func (v verdict) pass(format string, args ...any) {
	v.r.add(Check{Rule: v.rule, Interface: v.at, Pointer: v.pointer, Message: fmt.Sprintf(format, args...)})
}

func (v verdict) skip(format string, args ...any) {
	v.r.add(Check{Rule: v.rule, Interface: v.at, Pointer: v.pointer, Outcome: NotTried, Message: fmt.Sprintf(format,
		args...)})
}

func (v verdict) fail(severity diag.Severity, hint, format string, args ...any) {
	v.r.add(Check{
		Rule: v.rule, Interface: v.at, Pointer: v.pointer, Outcome: Failed, Severity: severity,
		Message: fmt.Sprintf(format, args...), Hint: hint,
	})
}

// undecided ends a check whose call got no answer of the binding, and tells
// whether it did. A call that was not made is skipped; one that hangs or ends
// too early fails.
func (v verdict) undecided(a answer, what string) bool {
	switch a.kind {
	case unasked:
		v.skip("%s", a.said)
	case broken:
		v.fail(diag.Error, "the server answered earlier calls: check its log", "%s gets no answer: %s", what, a.said)
	case foreign:
		v.fail(diag.Error, "route this operation to the A2A server too", "%s returns %s", what, a.said)
	default:
		return false
	}
	return true
}
