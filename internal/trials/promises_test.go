package trials

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// promises name, for each section of the contract with users, a test that fails when the
// promise is broken: DIRECTORY.TEST, or a script below testdata/script.
var promises = []struct{ section, promise, test string }{
	{"1 The promise", "the same input gives the same bytes on every machine", "golden.TestDeterminism"},
	{"1 The promise", "and for whole processes, in any umask, locale and order of files", ".ci/determinism.sh"},
	{"1 The promise", "examples make these trees, byte for byte", "golden.TestGolden"},
	{"1 The promise", "the card says what its author wrote", "generate.TestDescriptionsEqualTheirSources"},
	{"1 The promise", "generating uses no network and starts no program", "generate.TestNoNetwork"},
	{"1 The promise", "what git ignores is read from the .gitignore files that apply", "internal/files.TestIgnores"},
	{"1 The promise", "and is what git says", "internal/trials.TestIgnoresAsGit"},

	{"2 Commands", "each command has its help, documented", "docs.TestHelpIsDocumented"},
	{"2 Commands", "init writes a short configuration and overwrites nothing", "script/init/init"},
	{"2 Commands", "--check compares with the disk", "script/generate/check"},
	{"2 Commands", "--watch runs again after a change", "script/generate/watch"},
	{"2 Commands", "--audit writes a line for each published card", "script/generate/audit"},
	{"2 Commands", "serve previews from memory with the headers of a host", "script/serve/serve"},
	{"2 Commands", "lint reads cards and lists, whoever wrote them", "script/lint/input"},
	{"2 Commands", "diff compares cards, trees and projects", "script/diff/tree"},
	{"2 Commands", "convert writes a clean card and reports each loss", "internal/convert.TestNothingIsLostInSilence"},
	{"2 Commands", "key new keeps the key private", "script/key/key"},
	{"2 Commands", "sign refreshes the tree around the card", "script/sign/tree"},
	{"2 Commands", "sign serves keys that may not leave their device", "script/sign/elsewhere"},
	{"2 Commands", "verify checks signatures, sidecars and copies", "script/verify/tree"},
	{"2 Commands", "probe says what is wrong with a host", "internal/probe.TestDefects"},
	{"2 Commands", "shell completions complete", "script/completion/completion"},
	{"2 Commands", "exit codes", "script/generate/exitcodes"},
	{"2 Commands", "a run that ends in 1 or 2 changes nothing", "internal/trials.TestRefused"},
	{"2 Commands", "a signal ends any command", "internal/cli.TestUntilSignal"},

	{"3 Config", "an unknown key is an error with the nearest known one", "internal/config.TestRightForms"},
	{"3 Config", "variables are read in vars alone, and no secret ones", "internal/config.TestSecretVariables"},
	{"3 Config", "environments are merged over the rest", "script/generate/environment"},
	{"3 Config", "included files stay below themselves and lower no guard", "script/config/include"},
	{"3 Config", "policies are JSON Schemas with findings in the source", "script/policy/policy"},
	{"3 Config", "layouts", "script/generate/layoutauto"},
	{"3 Config", "keys go with each other", "internal/trials.TestPairs"},
	{"3 Config", "every member of a card has its key", "golden.TestMembersAreConfigured"},
	{"3 Config", "who is on a card: lists match every name of a skill", "generate.TestSelectionByEveryName"},
	{"3 Config", "what is kept from a card is in no file and no report", "internal/trials.TestSelection"},
	{"3 Config", "a visibility that is misspelt hides the skill", "mapping.TestVisibilityInDoubt"},

	{"4 init", "finds the agents of a repository", "internal/starter.TestShapes"},
	{"4 init", "writes ids that are directories everywhere", "internal/starter.TestIDs"},
	{"4 init", "writes cards where git keeps them", "internal/starter.TestOutputIsKept"},
	{"4 init", "writes few lines", "internal/starter.TestLimits"},

	{
		"5 Output tree", "a file whose bytes would not change is left alone",
		"internal/publish.TestWriteLeavesEqualFilesAlone",
	},
	{"5 Output tree", "a run that is killed is put right by the next", "internal/publish.TestWriteKilledTwice"},
	{"5 Output tree", "stale files go by their kind, edited ones stay", "internal/publish.TestWriteRemovesByKind"},
	{"5 Output tree", "a run that would remove most cards stops", "internal/publish.TestWriteGuardsCards"},
	{"5 Output tree", "so does one for another environment", "internal/publish.TestWriteKeepsTheEnvironment"},
	{"5 Output tree", "foreign files stop the run", "internal/publish.TestWriteRefusesForeignFiles"},
	{"5 Output tree", "the directories lie apart", "internal/cli.TestTreesStayApart"},
	{"5 Output tree", "a clean clone without sidecars has no drift", "internal/publish.TestCheckOfACleanClone"},
	{"5 Output tree", "two pull requests on two skills merge", "script/generate/gitmerge"},
	{"5 Output tree", "--check without the key verifies what is there", "script/generate/signcheck"},
	{"5 Output tree", "--check says first that git ignores the output", "script/generate/ignored"},
	{"5 Output tree", "server configuration", "internal/hosting.TestRender"},
	{
		"5 Output tree", "catalogs and the index of skills are read again as written",
		"internal/site.TestWrittenListsAreRead",
	},

	{"6 Judgement", "each rule has a bad and a right example", "internal/lint.TestFixtures"},
	{"6 Judgement", "each finding has its place", "golden.TestPlaces"},
	{"6 Judgement", "the JSON of findings is as its schema says", "internal/cli.TestJSONIsAsDescribed"},
	{"6 Judgement", "text of others is escaped where it is printed", "internal/report.TestEscape"},
	{"6 Judgement", "no command prints a key", "internal/cli.TestNoCommandLeaksKeys"},
	{"6 Judgement", "every change of a card is reported, in a class", "internal/diff.TestMutationsAreReported"},
	{"6 Judgement", "SDKs that call another URL", "internal/diff.TestClientMoved"},
	{"6 Judgement", "a version declares what breaks", "internal/diff.TestDeclared"},
	{"6 Judgement", "hostile projects do no harm", "internal/trials.TestHostile"},
	{"6 Judgement", "no secret gets into a card unnoticed", "internal/cli.TestEverySecretInEveryPlace"},
	{"6 Judgement", "no link is followed out of the project", "internal/cli.TestPathsAreNotReachedThroughLinks"},
	{"6 Judgement", "probe is not led to private addresses", "internal/probe.TestPrivate"},
	{
		"6 Judgement", "the Action runs nothing that the repository's content names",
		"internal/trials.TestActionWithHostileRepositories",
	},
}

// TestPromises fails when a test that a promise names is gone: name another one that keeps
// the promise.
func TestPromises(t *testing.T) {
	for _, p := range promises {
		if !hasTest(t, p.test) {
			t.Errorf("%s, %s: there is no %s", p.section, p.promise, p.test)
		}
	}
}

func hasTest(t *testing.T, name string) bool {
	t.Helper()
	if script, is := strings.CutPrefix(name, "script/"); is {
		name = "testdata/script/" + script + ".txtar"
	}
	dir, test, is := strings.Cut(name, ".Test")
	if !is {
		_, err := os.Stat(filepath.FromSlash(name))
		return err == nil
	}
	sources, err := filepath.Glob(filepath.Join(filepath.FromSlash(dir), "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, source := range sources {
		data, err := os.ReadFile(source)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(data), "\nfunc Test"+test+"(") {
			return true
		}
	}
	return false
}
