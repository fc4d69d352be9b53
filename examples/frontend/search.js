"use strict";

// This line says which search is asked. For sitesync serve --pages the address stays empty; for
// the hosted service it is the address of your region, with your own IDs and SiteKey.
const service = { url: "", customerId: 10000001, engineId: 1, siteKey: "MTAwMDAwMDE6MTpTZWFyY2hLZXk=" };

const perPage = 10;
const last = 10_000; // no result behind this one is answered

const byId = (id) => document.getElementById(id);
const form = byId("form"), box = byId("box"), list = byId("completions"), status = byId("status");

// element makes an element. Children that are strings become text, never markup.
const element = (name, properties, ...children) => {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
};

// call asks the service, and errs with what it answers.
const call = async (version, path, { body, ...options } = {}) => {
  const answer = await fetch(`${service.url.replace(/\/$/, "")}/api/${version}/${service.customerId}/${service.engineId}/${path}`, {
    method: body ? "POST" : "GET",
    headers: { Authorization: `SiteKey ${service.siteKey}`, "Content-Type": "application/json" },
    body: body && JSON.stringify(body),
    ...options,
  });
  const result = await answer.json().catch(() => undefined);
  if (!answer.ok || !result) throw new Error(result?.message ?? result?.Message ?? `status ${answer.status}`);
  return result;
};

// spelled returns an answer with its keys in capitals: the documents of the hosted service show
// some in both spellings.
const spelled = (value) => {
  if (Array.isArray(value)) return value.map(spelled);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key.charAt(0).toUpperCase() + key.slice(1), spelled(inner)]));
};

// safeAddress returns an address that may stand in a link; undefined for a script and the like.
const safeAddress = (text) => {
  const url = URL.canParse(text, location.href) ? new URL(text, location.href) : undefined;
  return ["http:", "https:"].includes(url?.protocol) ? url.href : undefined;
};

// copied returns the nodes of some HTML, with only these elements and attributes; of all others
// the text stays.
const copied = (html, allowed) => {
  const copy = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return [node.data];
    const children = [...node.childNodes].flatMap(copy);
    const attributes = allowed[node.localName];
    if (!attributes) return ["script", "style"].includes(node.localName) ? [] : children;
    const made = element(node.localName, {}, ...children);
    for (const name of attributes) {
      const value = node.getAttribute(name) ?? "";
      made.setAttribute(name, name === "alt" ? value : safeAddress(value) ?? "");
    }
    return [made];
  };
  return copy(element("template", { innerHTML: html }).content); // where nothing loads or runs
};

// marked returns the nodes of a field. The service escapes what it highlights.
const marked = (field) => {
  const html = (field?.Highlights ?? []).join(" … ");
  return html ? copied(html, { b: [] }) : [field?.Value ?? ""];
};

// The address of the page holds the search: q, page, and f.FIELD for each value of a filter.

const asked = () => {
  const parameters = new URLSearchParams(location.search), filters = Object.create(null);
  for (const [key, value] of parameters) {
    if (key.startsWith("f.")) (filters[key.slice(2)] ??= []).push(value);
  }
  return { query: (parameters.get("q") ?? "").trim(), page: Math.max(1, parseInt(parameters.get("page"), 10) || 1), filters };
};

const addressOf = ({ query, page, filters }) => {
  const parameters = new URLSearchParams({ q: query });
  for (const [field, values] of Object.entries(filters)) {
    for (const value of values) parameters.append(`f.${field}`, value);
  }
  if (page > 1) parameters.set("page", page);
  return `?${parameters}`;
};

// What visitors do is told to the service: section "Analytics" of its documentation. Every value
// is a string. Address, browser and referrer of a visitor are personal data, so they are left out.

const fresh = () => Array.from(crypto.getRandomValues(new Uint32Array(4)), (n) => n.toString(16)).join("");
const session = fresh();
let querySession = { query: "", id: "" };

const tell = (log, { query, page }, values) => {
  if (querySession.query !== query) querySession = { query, id: fresh() };
  const device = matchMedia("(max-width: 40rem)").matches ? "mobile" : matchMedia("(pointer: coarse)").matches ? "tablet" : "desktop";
  const event = {
    sw: query, pn: page, sid: session, qsid: querySession.id, dt: device,
    sz: `${screen.width}x${screen.height}`, brl: navigator.language, hn: location.hostname, ...values,
  };
  const body = Object.fromEntries(Object.entries(event).map(([key, value]) => [key, String(value)]));
  call("v3", `search/pushstat/${log}`, { body, keepalive: true }).catch(() => {}); // an event that is lost disturbs nobody
};

// Completions: a combobox with a list, as the ARIA Authoring Practices describe it.

let options = [], active = -1, timer, asking = new AbortController();

const close = () => {
  clearTimeout(timer);
  asking.abort();
  options = [];
  list.hidden = true;
  list.replaceChildren();
  box.setAttribute("aria-expanded", "false");
  activate(-1);
};

const activate = (index) => {
  active = index;
  list.childNodes.forEach((option, i) => option.setAttribute("aria-selected", String(i === index)));
  if (index < 0) box.removeAttribute("aria-activedescendant");
  else box.setAttribute("aria-activedescendant", list.childNodes[index].id);
};

const complete = async () => {
  const query = box.value.trim();
  asking.abort();
  asking = new AbortController();
  const { signal } = asking;
  if (!query) return close();
  try {
    const found = await call("v4", `autocomplete?${new URLSearchParams({ query, results: 5 })}`, { signal });
    if (signal.aborted) return;
    const texts = found.suggestions.map((text) => ({ label: [text], pick: () => search({ query: text, page: 1, filters: {} }) }));
    const pages = found.results.map(({ fields }, i) => ({ ...fields, Rank: i + 1, address: safeAddress(fields.Url) })).filter((page) => page.address);
    options = [...texts, ...pages.map((page) => ({
      label: [page.Title || page.Url, " ", element("span", { className: "quiet" }, "page")],
      pick: () => {
        tell("clicklog", { query, page: 1 }, { qid: found.queryId, ls: "searchresult", clurl: page.Url, cli: page.Rank, title: page.Title ?? "" });
        location.assign(page.address);
      },
    }))];
  } catch {
    return signal.aborted || close(); // without completions one can still search
  }
  list.replaceChildren(...options.map(({ label, pick }, i) => {
    const option = element("li", { id: `completion-${i}`, role: "option", onclick: () => choose(pick) }, ...label);
    option.setAttribute("aria-selected", "false");
    return option;
  }));
  list.hidden = options.length === 0;
  box.setAttribute("aria-expanded", String(!list.hidden));
  activate(-1);
};

const choose = (pick) => { close(); pick(); };

box.addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(complete, 150);
});
box.addEventListener("keydown", (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step && options.length > 0) {
    event.preventDefault();
    const places = options.length + 1; // the box itself is one
    activate(((active + 1 + step + places) % places) - 1);
  } else if (event.key === "Enter" && active >= 0) {
    event.preventDefault();
    choose(options[active].pick);
  } else if (event.key === "Escape" && !list.hidden) {
    event.preventDefault(); // else the browser empties the box
    close();
  }
});
box.addEventListener("blur", close);
list.addEventListener("mousedown", (event) => event.preventDefault()); // the focus stays in the box

// Results.

let turn = 0;

// search shows the results of what is asked and makes it the address of the page.
const search = (what, { moveFocus } = {}) => {
  history.pushState(null, "", addressOf(what));
  return show(moveFocus);
};

const show = async (moveFocus) => {
  const what = asked(), mine = ++turn;
  box.value = what.query;
  close();
  document.title = what.query ? `${what.query} – Search` : "Search";
  if (!what.query) return render(what);
  status.textContent = "Searching …";
  try {
    const found = spelled(await call("v4", "search", {
      body: { query: what.query, page: what.page, perPage, postFilters: what.filters, fields: ["Title", "Url", "Description", "Date"], highlight: true },
    }));
    if (mine !== turn) return;
    render(what, found);
    if (moveFocus) status.focus();
    tell("querylog", what, {
      qid: found.QueryId, rc: found.TotalDocument, rt: found.ResponseTime, fquery: found.FixedQuery ?? "",
      ban: found.Banners?.length ?? 0, bnrs: (found.Banners ?? []).map((banner) => banner.Id).join(","),
    });
  } catch (error) {
    if (mine !== turn) return;
    render(what);
    const why = error instanceof TypeError ? "The search can't be reached. Check your connection." : `The search can't answer: ${error.message}.`;
    status.replaceChildren(why, " ", element("button", { onclick: () => show() }, "Try again"));
  }
};

const render = (what, found = { TypedDocuments: [], Facets: {} }) => {
  const focused = document.activeElement?.closest("#facets input");
  const clicked = (values) => () => tell("clicklog", what, { qid: found.QueryId, ...values });
  status.replaceChildren(...summary(what, found));
  byId("promoted").replaceChildren(...promoted(found, clicked));
  byId("facets").replaceChildren(...facets(what, found));
  byId("results").replaceChildren(...found.TypedDocuments.map((hit, i) => result(hit, (what.page - 1) * perPage + i + 1, clicked)));
  byId("pages").replaceChildren(...pages(what, found));
  const again = focused && [...byId("facets").querySelectorAll("input")].find(({ name, value }) => name === focused.name && value === focused.value);
  again?.focus();
};

const summary = (what, { TotalDocument: total, FixedQuery: fixed, Suggestions: suggestions = [] }) => {
  if (total === undefined) return [];
  const filtered = Object.keys(what.filters).length > 0;
  if (total === 0) {
    if (filtered) return [`No result for “${what.query}” with these filters. `, link({ ...what, page: 1, filters: {} }, "Remove the filters")];
    return [`Nothing was found for “${what.query}”. Check the spelling, or try other words.`];
  }
  const count = `${total.toLocaleString("en")} ${total === 1 ? "result" : "results"}`;
  if (fixed) return [`Nothing was found for “${what.query}”. Did you mean “`, link({ query: fixed, page: 1, filters: {} }, fixed), `”? Here ${total === 1 ? "is" : "are"} ${count} for it.`];
  const meant = suggestions.map((one) => one.Text ?? one).filter((text) => text !== what.query).slice(0, 3).flatMap((text) => [" ", link({ query: text, page: 1, filters: {} }, text)]);
  return [`${count}${what.query === "*" ? "" : ` for “${what.query}”`}${what.page > 1 ? `, page ${what.page}` : ""}.`, ...(meant.length > 0 ? [" Did you mean:", ...meant] : [])];
};

const promoted = ({ Banners: banners = [], Quicklinks: quicklinks = [] }, clicked) => [
  ...quicklinks.filter(({ Url }) => safeAddress(Url)).map(({ Url }) => element("p", {}, "Go straight to ", element("a", { href: safeAddress(Url) }, Url))),
  ...banners.map((banner) => {
    const html = copied(banner.Htmlcode ?? banner.Banner ?? "", { a: ["href"], b: [], br: [], em: [], img: ["src", "alt"], li: [], p: [], strong: [], ul: [] });
    const shown = element("section", { ariaLabel: banner.Name ?? "" }, ...html);
    shown.addEventListener("click", (event) => {
      const target = event.target.closest("a");
      if (target) clicked({ ls: "banner", cloi: banner.Id, clurl: target.href })();
    });
    return shown;
  }),
];

// facets are lists of values, of which any may be chosen. A chosen value stays to be seen when
// nothing has it.
const facets = (what, { Facets: all = {} }) => Object.entries(all).map(([name, { FieldName: field = name, Items: items = [] }]) => {
  const chosen = what.filters[field] ?? [];
  const values = [...items, ...chosen.filter((value) => !items.some(({ Key }) => Key === value)).map((Key) => ({ Key, Count: 0 }))];
  if (values.length === 0) return "";
  return element("fieldset", {}, element("legend", {}, field), ...values.map(({ Key, Count }) => {
    const choice = element("input", { type: "checkbox", name: field, value: Key, checked: chosen.includes(Key) });
    choice.addEventListener("change", () => {
      const now = choice.checked ? [...chosen, Key] : chosen.filter((value) => value !== Key);
      const { [field]: _, ...others } = what.filters;
      search({ ...what, page: 1, filters: now.length > 0 ? { ...others, [field]: now } : others });
    });
    return element("label", {}, choice, element("span", {}, `${Key} `, element("span", { className: "quiet" }, `(${Count})`)));
  }));
});

const result = ({ Fields: fields }, rank, clicked) => {
  const plain = fields.Title?.Value || fields.Url?.Value || "No title";
  const title = fields.Title?.Value ? marked(fields.Title) : [plain];
  const href = safeAddress(fields.Url?.Value);
  const heading = href ? element("a", { href, onclick: clicked({ ls: "searchresult", clurl: fields.Url.Value, cli: rank, title: plain }) }, ...title) : element("span", {}, ...title);
  return element("li", {},
    element("h2", {}, heading),
    element("p", {}, ...marked(fields.Description)),
    element("p", { className: "quiet" }, [fields.Url?.Value, fields.Date?.Value].filter(Boolean).join(" · ")));
};

const pages = (what, { TotalDocument: total = 0 }) => {
  const count = Math.ceil(Math.min(total, last) / perPage);
  if (count < 2) return [];
  return [
    what.page > 1 ? link({ ...what, page: Math.min(what.page - 1, count) }, "Previous") : "",
    element("span", {}, `Page ${what.page} of ${count}`),
    what.page < count ? link({ ...what, page: what.page + 1 }, "Next") : "",
  ];
};

// link leads to another search. It has an address, so that it can be opened in a new tab.
const link = (what, text) => element("a", {
  href: addressOf(what),
  onclick: (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    search(what, { moveFocus: true });
    scrollTo(0, 0);
  },
}, text);

form.addEventListener("submit", (event) => {
  event.preventDefault();
  search({ ...asked(), query: box.value.trim(), page: 1, filters: {} });
});
addEventListener("popstate", () => show());
show();
