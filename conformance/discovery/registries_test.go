package discovery

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agntcy/oasf-sdk/pkg/translator"
	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/types/known/structpb"
)

// The SDK of AGNTCY makes a record of each card, and the same card of the record.
func TestAGNTCYReadsCards(t *testing.T) {
	for _, name := range append(golden(t, "agent-card.json"), golden(t, "/.well-known/agent.json")...) {
		var card map[string]any
		readJSON(t, name, &card)
		input, err := structpb.NewStruct(card)
		if err != nil {
			t.Fatal(err)
		}
		record, err := translator.A2AToRecord(input)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		back, err := translator.RecordToA2A(record)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got := back.AsMap()
		if inner, ok := got["a2aCard"].(map[string]any); ok {
			got = inner
		}
		if diff := cmp.Diff(card, got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", name, diff)
		}
	}
}

// It takes the archive of each skill, as it is.
func TestAGNTCYReadsArchives(t *testing.T) {
	archives, err := filepath.Glob(filepath.Join(host, ".well-known", "agent-skills", "*.tar.gz"))
	if err != nil || len(archives) == 0 {
		t.Fatal("the golden tree has no archives", err)
	}
	for _, archive := range archives {
		data, err := os.ReadFile(archive)
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(filepath.Join(strings.TrimSuffix(archive, ".tar.gz"), "SKILL.md"))
		if err != nil {
			t.Fatal(err)
		}
		input, err := structpb.NewStruct(map[string]any{
			"skillMarkdown": string(text),
			"skillArchive":  base64.StdEncoding.EncodeToString(data),
		})
		if err != nil {
			t.Fatal(err)
		}
		record, err := translator.SkillBundleToRecord(input)
		if err != nil {
			t.Errorf("%s: %v", archive, err)
			continue
		}
		back, err := translator.RecordToSkillBundle(record)
		if err != nil || string(back) != string(data) {
			t.Errorf("%s: other bytes come back (%v)", archive, err)
		}
	}
}

// The catalog model of Backstage takes the entities of every workspace with a golden tree.
func TestBackstageTakesEntities(t *testing.T) {
	t.Parallel()
	node, dir := install(t), t.TempDir()
	configurations, err := filepath.Glob("../../testdata/workspaces/*/cardwright.yaml")
	if err != nil || len(configurations) == 0 {
		t.Fatal("no workspaces", err)
	}
	args, entities := []string{"backstage.mjs"}, 0
	for _, name := range configurations {
		workspace := filepath.Dir(name)
		text := string(cardwright(t, workspace, "export", "backstage", "--set", "owner=team-agents", "-q"))
		write(t, dir, map[string]string{filepath.Base(workspace): text})
		args = append(args, filepath.Base(workspace))
		entities += strings.Count(text, "\nkind: ")
	}
	out := run(t, node, dir, args...)
	if want := "AiResource billing\nAPI billing\nAiResource review\nAPI review\n"; !strings.Contains(out, want) {
		t.Errorf("the output lacks the entities of agent-host:\n%s", out)
	}
	if got := strings.Count(out, "\n"); got != entities {
		t.Errorf("%d of %d entities are read:\n%s", got, entities, out)
	}
}
