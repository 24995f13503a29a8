package client

import "testing"

func TestEvents(t *testing.T) {
	tests := []struct {
		name, body, want string
		found            bool
	}{
		{"an event", "data: {}\n\n", "{}", true},
		{"not all of it yet", "data: {}\n", "", false},
		{"CRLF", "data: {}\r\n\r\n", "{}", true},
		{"CR", "data: {}\r\r", "{}", true},
		{"comments first", ": hello\n\n: hello\n\nevent: x\ndata: {}\n\n", "{}", true},
		{"two lines", "data: {\ndata: }\n\n", "{\n}", true},
		{"no space", "data:{}\n\n", "{}", true},
		{"none", ": hello\n\n", "", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Events([]byte(tt.body))
			if len(got) > 0 != tt.found || tt.found && string(got[0]) != tt.want {
				t.Errorf("got %q, want %q %t", got, tt.want, tt.found)
			}
		})
	}
}
