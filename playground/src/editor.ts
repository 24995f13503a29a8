// The editor: a plain field, so that the page is there at once, until there is a text to
// show, for which CodeMirror takes its place.
import type { Rich } from './rich';
import type { Finding } from './tasks';

export class Editor {
  private rich?: Rich;
  private name = '';
  private text = '';
  private marks: Parameters<Rich['mark']> = [[]];

  constructor(private host: HTMLElement, private field: HTMLTextAreaElement, private changed: (text: string) => void) {
    field.oninput = () => {
      changed(this.text = field.value);
      void this.load();
    };
  }

  // load brings what is too much for the first moment, and shows it.
  async load() {
    const code = await import('./rich');
    if (!this.rich) {
      const cursor = document.activeElement === this.field ? this.field.selectionStart : undefined;
      this.rich = new code.Rich(this.host, this.changed);
      this.rich.show(this.name, this.text);
      this.rich.mark(...this.marks);
      if (cursor !== undefined) this.rich.select(cursor);
    }
    return code;
  }

  // show opens a file.
  show(name: string, text: string) {
    [this.name, this.text] = [name, text];
    if (this.rich) return this.rich.show(name, text);
    this.field.value = '';
    this.field.setAttribute('aria-label', `Text of ${name}`);
    if (text !== '') void this.load();
  }

  // mark shows findings at their lines.
  mark(...marks: Parameters<Rich['mark']>) {
    this.marks = marks;
    this.rich?.mark(...marks);
  }

  // go puts the cursor on a place.
  go(f: Finding) {
    this.rich?.go(f);
  }
}
