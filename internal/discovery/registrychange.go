package discovery

import (
	"slices"
	"strconv"
	"strings"

	"cardwright/internal/diag"
	"cardwright/schema"
)

// What registries and their gateways make of a card, which they show or serve instead
// of the one that was published.

const keepSigned = "have clients that check signatures fetch the card from its own URL"

// unsigned reports the signatures of a card that no longer hold.
func (k *checker) unsigned(why string) {
	if k.Root.Get("signatures") != nil {
		k.report(diag.Warning, "/signatures", keepSigned, "the signatures are not valid there: %s", why)
	}
}

// signaturesUnknown reports the signatures of a card that may no longer hold.
func signaturesUnknown(k *checker) {
	if k.Root.Get("signatures") != nil {
		k.report(diag.Info, "/signatures", keepSigned, "nothing is published about what happens to the signatures there")
	}
}

func agntcyChange(k *checker) {
	if k.Root.Get("signatures") != nil {
		k.report(diag.Info, "/signatures", "",
			"the AGNTCY Directory writes the JSON anew, so the signatures stay valid for clients that check the canonical form")
	}
}

func apimChange(k *checker) {
	const gateway = "Azure API Management"
	k.report(diag.Info, "/supportedInterfaces", "",
		gateway+" puts its own host into the URLs, and its subscription key into the security requirements")
	k.unsigned(gateway + " rewrites the card")
	k.leftOut(gateway, func(i schema.Interface) bool { return i.Binding != "JSONRPC" })
}

func geminiChange(k *checker) {
	if k.Older == nil {
		k.unsigned("Gemini Enterprise takes the card in the form of 0.3; legacyPath: split signs one")
	}
	k.leftOut("Gemini Enterprise", func(i schema.Interface) bool { return !i.Speaks().Has(schema.Flat) })
}

func wso2Change(k *checker) {
	const gateway = "the gateway of WSO2 Agent Manager"
	k.report(diag.Info, "/supportedInterfaces", "", gateway+" puts its own URLs into the card")
	k.unsigned(gateway + " rewrites the card")
}

// leftOut reports interfaces that a registry does not take over.
func (k *checker) leftOut(registry string, gone func(schema.Interface) bool) {
	for i, one := range k.Card.Interfaces {
		if gone(one) {
			k.report(diag.Info, "/supportedInterfaces/"+strconv.Itoa(i), "", "%s leaves out the interface %s %s", registry,
				one.Binding, diag.Quote(one.URL))
		}
	}
}

func backstageChange(k *checker) {
	kept := entityTags(k.Card)
	for i, s := range k.Card.Skills {
		for j, tag := range s.Tags {
			if !slices.Contains(kept, strings.ToLower(tag)) {
				k.report(diag.Info, "/skills/"+strconv.Itoa(i)+"/tags/"+strconv.Itoa(j), "",
					"Backstage leaves out the tag %s, which is not letters, digits, + and # with hyphens between them",
					diag.Quote(tag))
			}
		}
	}
}
