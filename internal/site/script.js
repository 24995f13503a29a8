(() => {
  'use strict';
  document.documentElement.classList.add('script');

  // What the search looks at: letters without case, accents and width.
  const plain = (text) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const number = (n) => (n === 0 ? 'None' : n.toLocaleString('en'));

  document.addEventListener('DOMContentLoaded', () => {
    const [query, result, clear, none, copied] = ['query', 'result', 'clear', 'none', 'copied'].map((id) => document.getElementById(id));
    const agents = [...document.querySelectorAll('.agent')];
    const tags = [...document.querySelectorAll('button[data-tag]')];
    let texts;

    const apply = () => {
      const words = plain(query.value).split(/\s+/).filter(Boolean);
      const chosen = tags.filter((tag) => tag.ariaPressed === 'true');
      texts ??= agents.map((agent) => plain([...agent.querySelectorAll('bdi')].map((e) => e.textContent).join('\n')));
      let shown = 0;
      agents.forEach((agent, i) => {
        const own = agent.dataset.tags.split(' ');
        agent.hidden = !(chosen.every((tag) => own.includes(tag.dataset.tag)) && words.every((word) => texts[i].includes(word)));
        shown += !agent.hidden;
      });
      const filtered = words.length + chosen.length > 0;
      const names = chosen.map((tag) => tag.querySelector('bdi').textContent).join(', ');
      result.textContent = `${filtered ? `${number(shown)} of` : 'All'} ${number(agents.length)} agents${names && ` tagged ${names}`}`;
      clear.hidden = !filtered;
      none.hidden = shown > 0;
    };

    // Over plain http there is no clipboard to write to: the text is selected for the keyboard.
    const copy = async (button) => {
      const target = button.parentElement.querySelector('.code a, bdi.code');
      const text = target.href ?? target.textContent;
      let done = 'Copied';
      try {
        await navigator.clipboard.writeText(text);
      } catch {
        getSelection().selectAllChildren(target);
        done = 'Selected';
      }
      button.firstChild.data = done;
      copied.textContent = `${done} ${text}`;
      setTimeout(() => { button.firstChild.data = 'Copy'; }, 2000);
    };

    // A link to an agent opens it.
    const openTarget = () => {
      const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
      target?.closest('.agent')?.setAttribute('open', '');
      target?.scrollIntoView();
    };
    addEventListener('hashchange', openTarget);
    openTarget();

    document.addEventListener('click', ({ target }) => {
      const button = target.closest('button');
      if (button?.dataset.tag) {
        button.ariaPressed = String(button.ariaPressed !== 'true');
        apply();
      } else if (button?.classList.contains('copy')) {
        copy(button);
      }
    });
    query?.addEventListener('input', apply);
    clear?.addEventListener('click', () => {
      query.value = '';
      tags.forEach((tag) => { tag.ariaPressed = 'false'; });
      apply();
      query.focus();
    });
    if (query?.value) { // kept by the browser over a reload
      apply();
    }
  });
})();
