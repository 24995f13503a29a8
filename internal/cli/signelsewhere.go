package cli

import (
	"strings"

	"cardwright/internal/cardfile"
	"cardwright/internal/diag"
	"cardwright/internal/keyring"
	"cardwright/internal/safefile"
	"cardwright/internal/sign"
	"cardwright/internal/workspace"
)

// nameKey completes the name and the algorithm of a key that is held elsewhere by
// those of its public key, where that is given.
func (o *signOptions) nameKey(key sign.Key, cards []string) error {
	if o.key != "" {
		if o.sign.Kid == "" {
			o.sign.Kid = key.Name()
		}
		if o.sign.Alg == "" {
			o.sign.Alg = key.Alg()
		}
	}
	switch {
	case o.printInput && o.attach != "":
		return usageError("print the input, sign it, then attach the signature",
			"--print-input and --attach exclude each other")
	case len(cards) > 1:
		return usageError("run it once for each card", "a signature is for one card, not %d", len(cards))
	case o.sign.Kid == "" || o.sign.Alg == "":
		return usageError("--kid cards-2026 --alg ES256, or --key file:PATH of the public key",
			"a signature that is made elsewhere needs --kid and --alg")
	case o.printInput && o.format != "text":
		return usageError("leave --format away", "--print-input prints only the input")
	}
	return nil
}

// madeElsewhere reads the signature that --attach names.
func madeElsewhere(p *workspace.Space, ref string) ([]byte, error) {
	name, ok := strings.CutPrefix(ref, "file:")
	if !ok {
		if strings.ContainsAny(ref, ".:") {
			return nil, usageError("--attach file:"+ref, "--attach %s is not a signature in base64", diag.Quote(ref))
		}
		return []byte(ref), nil
	}
	file, err := p.Read(name, keyring.MaxSize)
	if err != nil {
		return nil, usageError("", "cannot read the signature %s: %s", diag.Quote(name), safefile.Reason(err))
	}
	return file.Data, nil
}

// printInput prints what has to be signed, and nothing else.
func (a *app) printInput(run *outcome, o *signOptions, c cardfile.File) error {
	input, found, err := c.SigningInput(o.limits, o.sign)
	if err != nil {
		return usageError("", "cannot sign %s: %s", diag.Quote(c.Path()), err)
	}
	run.Found = o.apply(append(run.Found, found...))
	if run.failed() {
		return a.endFindings(run)
	}
	if err := a.printFindings(run); err != nil {
		return err
	}
	_, err = a.Out.Write(input)
	return err //nolint:wrapcheck // of stdout
}
