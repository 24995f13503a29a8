// CodeMirror in a shadow tree, where its styles need no exception from the
// Content-Security-Policy, and its comparison of texts.
import { basicSetup, EditorView } from 'codemirror';
import { json } from '@codemirror/lang-json';
import { yaml } from '@codemirror/lang-yaml';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { lintGutter, setDiagnostics, type Diagnostic } from '@codemirror/lint';
import { EditorState, type Text } from '@codemirror/state';
import { tags } from '@lezer/highlight';
import type { Finding } from './tasks';

const colors = syntaxHighlighting(HighlightStyle.define([
  { tag: [tags.propertyName, tags.heading, tags.meta], color: 'var(--name)' },
  { tag: [tags.string, tags.content], color: 'var(--string)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--number)' },
  { tag: tags.comment, color: 'var(--quiet)' },
]));
const look = EditorView.theme({
  '&': { height: '100%', color: 'var(--text)', fontSize: '.875rem' },
  '.cm-scroller': { fontFamily: 'var(--code)' },
  '.cm-content': { caretColor: 'var(--text)' },
  '.cm-gutters': { background: 'var(--ground)', color: 'var(--quiet)', borderColor: 'var(--line)' },
  '.cm-activeLine, .cm-activeLineGutter': { background: 'color-mix(in srgb, var(--accent) 8%, transparent)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': { background: 'color-mix(in srgb, var(--accent) 30%, transparent) !important' },
  '.cm-tooltip, .cm-panels': { background: 'var(--raised)', color: 'var(--text)', borderColor: 'var(--line)' },
  '.cm-diagnosticAction': { font: 'inherit', background: 'var(--accent)', color: 'var(--ground)' },
});

// position is the offset of a place, whose columns count characters.
function position(text: Text, line = 1, column = 1): number {
  const at = text.line(Math.min(Math.max(line, 1), text.lines));
  return at.from + [...at.text.slice(0, 2 * column)].slice(0, column - 1).join('').length;
}


export class Rich {
  private view: EditorView;

  constructor(host: HTMLElement, private changed: (text: string) => void) {
    const root = host.attachShadow({ mode: 'open' });
    this.view = new EditorView({ parent: root, root });
  }

  show(name: string, text: string) {
    const language = /\.ya?ml$/.test(name) ? yaml() : /\.json$/.test(name) ? json() : [];
    this.view.setState(EditorState.create({
      doc: text,
      extensions: [
        basicSetup, language, colors, look, lintGutter(), EditorView.lineWrapping,
        EditorView.contentAttributes.of({ 'aria-label': `Text of ${name}`, tabindex: '0' }),
        EditorView.updateListener.of((u) => { if (u.docChanged) this.changed(u.state.doc.toString()); }),
      ],
    }));
  }

  mark(findings: Finding[]) {
    const { doc } = this.view.state;
    const shown = findings.map((f): Diagnostic => {
      const from = position(doc, f.line, f.column);
      return {
        from, to: Math.max(from, f.line === f.endLine ? position(doc, f.endLine, f.endColumn) : from),
        severity: f.severity, message: f.hint ? `${f.message}\n${f.hint}` : f.message, source: f.rule,
      };
    });
    this.view.dispatch(setDiagnostics(this.view.state, shown.sort((a, b) => a.from - b.from)));
  }

  go(f: Finding) {
    this.select(position(this.view.state.doc, f.line, f.column));
  }

  // select puts the cursor before a character.
  select(at: number) {
    this.view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: 'center' }) });
    this.view.focus();
  }
}
