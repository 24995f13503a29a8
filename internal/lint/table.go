package lint

import (
	"slices"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

// versions is the set of protocol versions that a card is written for.
type versions = schema.Protocol

// The families of versions, whose forms of a card are worlds apart.
const (
	v10  = schema.Listed
	v03  = schema.Flat
	both = schema.All
)

// entry says whose cards a rule checks, and how.
type entry struct {
	holds versions
	run   func(*card) // nil: the findings are about the shape, or come from another package
}

// checks returns the rules about cards, each with its check.
func checks() map[diag.RuleID]entry {
	return map[diag.RuleID]entry{
		diag.CapabilityType:                {both, nil},
		diag.CapabilityUnknown:             {both, nil},
		diag.CardDescriptionVague:          {both, cardDescriptionVague},
		diag.CardDocumentationMissing:      {both, cardDocumentationMissing},
		diag.CardDuplicateMember:           {both, nil},
		diag.CardEmptyOptional:             {both, nil},
		diag.CardForeign:                   {both, nil},
		diag.CardInvalidUTF8:               {both, nil},
		diag.CardJSON:                      {both, nil},
		diag.CardMemberCase:                {both, nil},
		diag.CardMemberEmpty:               {both, cardMemberEmpty},
		diag.CardMemberMissing:             {both, nil},
		diag.CardMemberType:                {both, nil},
		diag.CardMemberUnknown:             {both, nil},
		diag.CardNameDuplicate:             {both, nil},
		diag.CardNameLong:                  {both, cardNameLong},
		diag.CardNull:                      {both, nil},
		diag.CardURLInvalid:                {both, cardURLInvalid},
		diag.CardVersionClaim:              {v03, cardVersionClaim},
		diag.CardVersionNotSemVer:          {both, cardVersionNotSemver},
		diag.CardVersionUnchanged:          {both, nil},
		diag.CardVersionUnknown:            {both, cardVersionUnknown},
		diag.CompatA2AGoSecurity:           {v10, compatA2AGoSecurity},
		diag.DualDisagree:                  {v10, dualDisagree},
		diag.DualLeftover:                  {v10, dualLeftover},
		diag.DualMismatch:                  {v03, dualMismatch},
		diag.DualOrder:                     {v10, dualOrder},
		diag.DualStrictValidators:          {both, dualStrictValidators},
		diag.ExtendedWithoutAuth:           {both, extendedWithoutAuth},
		diag.ExtensionRequiredUndocumented: {both, extensionRequiredUndocumented},
		diag.ExtensionURI:                  {both, extensionURI},
		diag.ExtensionUnversioned:          {both, extensionUnversioned},
		diag.InterfaceAmbiguous:            {both, interfaceAmbiguous},
		diag.InterfaceBindingUnknown:       {both, interfaceBindingUnknown},
		diag.InterfaceCredentials:          {both, eachURL(interfaceCredentials)},
		diag.InterfaceDuplicate:            {both, interfaceDuplicate},
		diag.InterfaceInsecure:             {both, eachURL(interfaceInsecure)},
		diag.InterfaceIsCard:               {both, eachURL(interfaceIsCard)},
		diag.InterfaceMemberAlias:          {both, nil},
		diag.InterfaceNone:                 {both, nil},
		diag.InterfaceNotA2A:               {both, eachURL(interfaceNotA2A)},
		diag.InterfacePlaceholder:          {both, eachURL(interfacePlaceholder)},
		diag.InterfacePrivateHost:          {both, eachURL(interfacePrivateHost)},
		diag.InterfaceURLGRPC:              {both, eachURL(interfaceURLGRPC)},
		diag.InterfaceURLInvalid:           {both, eachURL(interfaceURLInvalid)},
		diag.InterfaceURLOperation:         {both, eachURL(interfaceURLOperation)},
		diag.InterfaceVersionFormat:        {both, interfaceVersionFormat},
		diag.InterfaceVersionUnknown:       {v10, interfaceVersionUnknown},
		diag.ModeDuplicate:                 {both, eachModes(modeDuplicate)},
		diag.ModeNotMIME:                   {both, eachModes(modeNotMIME)},
		diag.ModeWildcard:                  {both, eachModes(modeWildcard)},
		diag.NumberUnsafe:                  {both, eachScalar(source.Number, numberUnsafe)},
		diag.ProviderIncomplete:            {both, nil},
		diag.ProviderMissing:               {both, providerMissing},
		diag.SchemeAPIKey:                  {both, eachForm("apiKey", schemeAPIKey)},
		diag.SchemeAPIKeyQuery:             {both, eachForm("apiKey", schemeAPIKeyQuery)},
		diag.SchemeHTTP:                    {both, eachForm("http", schemeHTTP)},
		diag.SchemeOAuthDeprecated:         {both, eachForm("oauth2", schemeOAuthDeprecated)},
		diag.SchemeOAuthDeviceCode:         {v03, schemeOAuthDeviceCode},
		diag.SchemeOAuthFlow:               {both, eachForm("oauth2", schemeOAuthFlow)},
		diag.SchemeOIDCURL:                 {both, eachForm("openIdConnect", schemeOIDCURL)},
		diag.SchemeScopeUndeclared:         {both, schemeScopeUndeclared},
		diag.SchemeShape:                   {both, schemeShape},
		diag.SchemeURLInsecure:             {both, eachForm("", schemeURLInsecure)},
		diag.SchemeUnused:                  {both, schemeUnused},
		diag.SecretValue:                   {both, eachScalar(source.String, secretValue)},
		diag.SecurityAnonymous:             {both, securityAnonymous},
		diag.SecurityLegacy:                {both, nil},
		diag.SecurityNone:                  {both, securityNone},
		diag.SecurityReference:             {both, securityReference},
		diag.SecurityRequirementShape:      {both, securityRequirementShape},
		diag.SignatureCanonicalHazard:      {v10, nil},
		diag.SignatureInvalid:              {both, nil},
		diag.SignatureJKUInsecure:          {both, eachSignature(signatureJKUInsecure)},
		diag.SignatureMalformed:            {both, eachSignature(signatureMalformed)},
		diag.SignatureMissing:              {both, signatureMissing},
		diag.SignatureTyp:                  {both, eachSignature(signatureTyp)},
		diag.SkillDescriptionDuplicate:     {both, skillDescriptionDuplicate},
		diag.SkillDescriptionVague:         {both, eachSkill(skillDescriptionVague)},
		diag.SkillExampleEmpty:             {both, eachSkill(skillExampleEmpty)},
		diag.SkillExamplesFew:              {both, eachSkill(skillExamplesFew)},
		diag.SkillExamplesTrivial:          {both, eachSkill(skillExamplesTrivial)},
		diag.SkillIDCase:                   {both, eachSkill(skillIDCase)},
		diag.SkillIDDuplicate:              {both, skillIDDuplicate},
		diag.SkillIDFormat:                 {both, eachSkill(skillIDFormat)},
		diag.SkillModesRedundant:           {both, eachSkill(skillModesRedundant)},
		diag.SkillPlaceholder:              {both, skillPlaceholder},
		diag.SkillSensitivePublic:          {both, eachSkill(skillSensitivePublic)},
		diag.SkillTagFormat:                {both, eachSkill(skillTagFormat)},
		diag.SkillTagsMissing:              {both, nil},
		diag.SkillsUnsorted:                {both, skillsUnsorted},
		diag.TextInvisible:                 {both, eachScalar(source.String, textInvisible)},
		diag.TextNotNFC:                    {both, eachScalar(source.String, textNotNFC)},
		diag.TextPrompt:                    {both, textPrompt},
		diag.TransportConflict:             {v03, transportConflict},
		diag.TransportMainMissing:          {v03, transportMainMissing},
		diag.TransportMissing:              {v03, transportMissing},
	}
}

// table is the catalog, each rule with its check.
var table = func() []Rule {
	of := checks()
	rules := make([]Rule, len(diag.Rules()))
	for i, r := range diag.Rules() {
		rules[i] = Rule{r, of[r.ID].holds, of[r.ID].run}
	}
	return rules
}()

// cardRules are the rules about cards.
var cardRules = slices.DeleteFunc(slices.Clone(table), func(r Rule) bool { return r.holds == 0 })
