(() => {
  'use strict';
  document.documentElement.classList.add('script');

  // What the search looks at: letters without case, accents and width.
  const plain = (text) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

  document.addEventListener('DOMContentLoaded', () => {
    const query = document.getElementById('query');
    const result = document.getElementById('result');
    const clear = document.getElementById('clear');
    const none = document.getElementById('none');
    const copied = document.getElementById('copied');
    const buttons = [...document.querySelectorAll('button[data-tag]')];
    const agents = [...document.querySelectorAll('.agent')].map((element) => ({
      element,
      tags: new Set(element.dataset.tags.split(' ')),
    }));

    // The texts are read once, when somebody starts to search.
    const index = () => {
      for (const agent of agents) {
        agent.text ??= plain([...agent.element.querySelectorAll('[data-find]')].map((e) => e.textContent).join('\n'));
      }
    };

    const number = (n) => (n === 0 ? 'None' : n.toLocaleString('en'));
    const count = (n) => `${number(n)} ${n === 1 ? 'agent' : 'agents'}`;

    const apply = () => {
      const words = plain(query.value).split(/\s+/).filter(Boolean);
      const tags = buttons.filter((b) => b.ariaPressed === 'true').map((b) => b.dataset.tag);
      if (words.length > 0) {
        index();
      }
      let shown = 0;
      for (const agent of agents) {
        const fits = tags.every((t) => agent.tags.has(t)) && words.every((w) => agent.text.includes(w));
        agent.element.hidden = !fits;
        shown += fits ? 1 : 0;
      }
      const filtered = words.length > 0 || tags.length > 0;
      result.textContent = `${filtered ? `${number(shown)} of` : 'All'} ${count(agents.length)}`;
      clear.hidden = !filtered;
      none.hidden = shown > 0 || !filtered;
    };

    // However fast somebody types, the page is laid out once a frame.
    let due = 0;
    const applySoon = () => {
      due ||= requestAnimationFrame(() => {
        due = 0;
        apply();
      });
    };

    const copy = async (button) => {
      const link = button.parentElement.querySelector('a');
      const done = await write(link.href) || select(link);
      const label = button.firstChild;
      label.data = done ? 'Copied' : 'Selected';
      copied.textContent = done ? `Copied ${link.href}` : `${link.href} is selected, copy it with your keyboard`;
      setTimeout(() => {
        label.data = 'Copy';
        copied.textContent = '';
      }, 2000);
    };

    const write = async (text) => {
      try {
        await navigator.clipboard.writeText(text);
        return true;
      } catch {
        return false;
      }
    };

    // Over plain http there is no clipboard to write to. A copy as by the
    // keyboard works, and where it does not, the URL stays selected for one.
    const select = (link) => {
      getSelection().selectAllChildren(link);
      document.addEventListener('copy', (event) => {
        event.clipboardData.setData('text/plain', link.href);
        event.preventDefault();
      }, { once: true });
      return document.execCommand('copy');
    };

    query.addEventListener('input', applySoon);
    query.addEventListener('focus', () => (window.requestIdleCallback ?? setTimeout)(index), { once: true });
    clear.addEventListener('click', () => {
      query.value = '';
      buttons.forEach((b) => { b.ariaPressed = 'false'; });
      apply();
      query.focus();
    });
    document.addEventListener('click', (event) => {
      const button = event.target.closest('button');
      if (button?.dataset.tag) {
        button.ariaPressed = String(button.ariaPressed !== 'true');
        applySoon();
      } else if (button?.classList.contains('copy')) {
        copy(button);
      }
    });

    if (query.value) { // kept by the browser over a reload
      apply();
    }
  });
})();
