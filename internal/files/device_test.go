package files

import "testing"

func TestDevice(t *testing.T) {
	for name, want := range map[string]bool{
		"con": true, "CON": true, "Nul.md": true, "aux.agent.json": true, "prn ": true, "prn .txt": true, "conin$": true,
		"ConOut$.x": true,
		"com1":      true, "COM9.json": true, "lpt³": true, "com¹.x": true,
		"": false, "console": false, "null": false, "com": false, "com0": false, "com10": false, "lpt": false, "lpt1x": false,
		"a.con": false, ".nul": false, "icon": false,
	} {
		if got := Device(name); got != want {
			t.Errorf("Device(%q) is %v", name, got)
		}
	}
}
