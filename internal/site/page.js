'use strict';
for (const button of document.querySelectorAll('.copy')) {
  button.hidden = false;
  button.onclick = async () => {
    const url = button.previousElementSibling;
    try {
      await navigator.clipboard.writeText(url.textContent);
      button.firstChild.data = 'Copied';
    } catch { // there is no clipboard over plain http
      getSelection().selectAllChildren(url);
    }
  };
}
const query = document.getElementById('query');
if (query) {
  document.getElementById('search').hidden = false;
  const plain = (text) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const read = (element) => ({ element, text: plain(element.textContent) });
  let agents;
  query.oninput = () => {
    agents ??= [...document.querySelectorAll('.agent')].map((agent) => ({ ...read(agent), skills: [...agent.querySelectorAll('.skill')].map(read) }));
    const words = plain(query.value).split(/\s+/).filter(Boolean);
    const has = ({ text }) => words.every((word) => text.includes(word));
    const found = agents.filter(has);
    for (const agent of agents) agent.element.hidden = !found.includes(agent);
    let skills = 0;
    for (const agent of found) {
      const some = agent.skills.some(has);
      for (const skill of agent.skills) skill.element.hidden = some && !has(skill);
      if (some) skills += agent.skills.filter(has).length;
      if (agents.length > 1) agent.element.open = words.length > 0 && found.length <= 3;
    }
    const all = agents.length > 1 ? [found.length, agents.length, 'agents'] : [skills, agents[0].skills.length, 'skills'];
    document.getElementById('result').textContent = words.length ? `${all[0]} of ${all[1]} ${all[2]} match` : '';
  };
}
