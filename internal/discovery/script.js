(() => {
  'use strict';
  document.documentElement.classList.add('script');

  // What the search looks at: letters without case, accents and width.
  const plain = (text) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

  document.addEventListener('DOMContentLoaded', () => {
    const main = document.getElementById('agents');
    const query = document.getElementById('query');
    const result = document.getElementById('result');
    const clear = document.getElementById('clear');
    const none = document.getElementById('none');
    const copied = document.getElementById('copied');
    const agents = [...document.querySelectorAll('.agent')].map((element) => ({
      element,
      tags: new Set(element.dataset.tags.split(' ')),
    }));
    const bar = [...document.querySelectorAll('.filter button[data-tag]')];
    const chosen = new Map(); // names of tags by number

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
      const tags = [...chosen.keys()];
      if (words.length > 0) {
        index();
      }
      let shown = 0;
      const left = new Map(); // agents that are shown, by tag
      for (const agent of agents) {
        const fits = tags.every((t) => agent.tags.has(t)) && words.every((w) => agent.text.includes(w));
        agent.element.hidden = !fits;
        if (fits) {
          shown += 1;
          agent.tags.forEach((t) => left.set(t, (left.get(t) ?? 0) + 1));
        }
      }
      for (const button of bar) {
        const n = left.get(button.dataset.tag) ?? 0;
        const [digits, what] = button.querySelector('.count').childNodes;
        digits.data = n;
        what.textContent = n === 1 ? ' agent' : ' agents';
      }
      for (const button of document.querySelectorAll('button[data-tag]')) {
        button.ariaPressed = String(chosen.has(button.dataset.tag));
      }
      const filtered = words.length > 0 || tags.length > 0;
      const tagged = tags.length > 0 ? ` tagged ${[...chosen.values()].join(', ')}` : '';
      result.textContent = `${filtered ? `${number(shown)} of` : 'All'} ${count(agents.length)}${tagged}`;
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

    // The tags of a skill become buttons when somebody opens its agent.
    const buttons = (agent) => {
      for (const label of agent.querySelectorAll('li[data-tag]')) {
        const button = document.createElement('button');
        button.type = 'button';
        button.className = 'tag';
        button.dataset.tag = label.dataset.tag;
        button.ariaPressed = String(chosen.has(label.dataset.tag));
        button.append(...label.childNodes);
        label.replaceChildren(button);
        label.removeAttribute('class');
        label.removeAttribute('data-tag');
      }
    };

    // A link to an agent opens it.
    const openTarget = () => {
      const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
      const agent = target?.closest('.agent');
      if (agent && !agent.open) {
        agent.open = true;
        target.scrollIntoView();
      }
    };
    addEventListener('hashchange', openTarget);
    openTarget();

    // Paper has every agent in full.
    let opened = [];
    addEventListener('beforeprint', () => {
      opened = agents.map((a) => a.element).filter((e) => !e.open);
      opened.forEach((e) => { e.open = true; });
    });
    addEventListener('afterprint', () => {
      opened.forEach((e) => { e.open = false; });
    });

    document.addEventListener('click', (event) => {
      const button = event.target.closest('button');
      if (button?.dataset.tag) {
        const tag = button.dataset.tag;
        if (!chosen.delete(tag)) {
          chosen.set(tag, button.querySelector('bdi').textContent);
        }
        applySoon();
      } else if (button?.classList.contains('copy')) {
        copy(button);
      }
    });

    if (!query) { // one agent
      return;
    }
    main.addEventListener('toggle', (event) => {
      if (event.target.classList.contains('agent') && event.target.open) {
        buttons(event.target);
      }
    }, true);
    main.querySelectorAll('.agent[open]').forEach(buttons);
    query.addEventListener('input', applySoon);
    query.addEventListener('focus', () => (window.requestIdleCallback ?? setTimeout)(index), { once: true });
    clear.addEventListener('click', () => {
      query.value = '';
      chosen.clear();
      apply();
      query.focus();
    });
    if (query.value) { // kept by the browser over a reload
      apply();
    }
  });
})();
