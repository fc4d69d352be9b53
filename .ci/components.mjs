// Renders answers of the local service with the component library that its vendor publishes:
// node components.mjs ADDRESS, in a folder that holds the library, react and jsdom.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const installed = createRequire(pathToFileURL(process.cwd() + "/"));
const { JSDOM } = installed("jsdom");
const { window } = new JSDOM("<div id=root></div>", { url: "https://www.example.com/" });
for (const [name, value] of Object.entries({ window, document: window.document, navigator: window.navigator, self: window, screen: window.screen })) Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
const React = installed("react");
const { renderToStaticMarkup } = installed("react-dom/server");
const { createRoot } = installed("react-dom/client");
const at = "node_modules/@cludosearch/cludo-search-components/dist/csr/main.csr.js";
const library = installed(process.cwd() + "/" + at);
const lib = library.CludoSearchComponents ?? library;

const base = process.argv[2], customer = 10000001, engine = 1;
const siteKey = { "Content-Type": "application/json", Authorization: "SiteKey " + btoa(`${customer}:${engine}:SearchKey`) };
const call = async (path, body, headers = siteKey, method = "POST") => {
  const answer = await fetch(`${base}/api/${path}`, { method, headers, body: JSON.stringify(body) });
  const text = await answer.text();
  assert.equal(answer.status, 200, `${path}: ${text}`);
  return text === "" ? undefined : JSON.parse(text);
};

const url = "https://www.example.com/hours";
const fields = { Title: "Opening hours", Url: url, Description: "Open from 8 to 4", Category: "Service", Image: "https://www.example.com/a.png", Language: "en" };
const file = { Title: "Plan of hours", Url: url + ".pdf", Description: "All of them", Category: "Files", Language: "en" };
await call(`v4/${customer}/index/crawler-1/documents`, [{ id: url, fields }, { id: file.Url, type: "FileContent", fields: file }],
  { "Content-Type": "application/json", Authorization: "Basic " + btoa(`${customer}:local`) }, "PUT");

// As the vendor's script asks, and keeps the answer for the components.
const found = await call(`v3/${customer}/${engine}/search`, {
  ResponseType: "JsonObject", Template: "StandardInline", facets: { Category: [] }, filters: { Language: ["en"] }, page: 1, query: "hours", text: "hours", traits: [], sort: {},
  rangeFacets: {}, perPage: 10, enableRelatedSearches: false, applyMultiLevelFacets: true,
});
const context = {
  customerId: customer, engineId: engine, query: "hours", currentPage: 1, sessionId: "s", deviceType: "desktop", linkFragment: "", facets: [],
  translateProvider: { language: "en", translate: (key) => key }, storedSearchResponseData: { cludoSearchResponse: { ...found, ResultCount: found.TotalDocument } },
};
const controller = { subscribe() {}, unsubscribe() {}, addEventListener() {}, removeEventListener() {} };
const within = (child) => React.createElement(lib.CludoContext.Provider, { value: context }, React.createElement(lib.EventControllerContext.Provider, { value: controller }, child));

const shown = { ResultTitle: "hours", ResultDescription: "Open from 8 to 4", ResultUrl: url, ResultBadge: "Service", ResultImage: "a.png", ResultLink: `href="${url}"`, ResultBreadcrumbs: "Service" };
const page = found.TypedDocuments.find((one) => one.Fields._type.Value === "PageContent"), attached = found.TypedDocuments.find((one) => one !== page);
for (const [name, want] of Object.entries(shown)) {
  const html = renderToStaticMarkup(within(React.createElement(lib[name], { result: page, textField: "Category" }, "x")));
  assert.ok(html.includes(want), `${name}: ${html}`);
}
assert.match(renderToStaticMarkup(within(React.createElement(lib.ResultTitle, { result: attached }))), /Plan/);
assert.match(renderToStaticMarkup(within(React.createElement(lib.StandardResult, { result: page }))), /Opening/);
console.log(`${Object.keys(shown).length} of 7 components render`);

// The summary as its module asks for it, with the vendor's address turned to ours.
const asked = [], plain = globalThis.fetch;
globalThis.fetch = window.fetch = (address, options) => {
  asked.push(address);
  return plain(String(address).replace(/^https:\/\/[^/]+/, base), { ...options, signal: undefined });
};
const root = createRoot(document.getElementById("root"));
root.render(within(React.createElement(lib.GenerativeResponseModule, { streamAnimationDelay: 1 })));
for (let i = 0; i < 500 && !document.body.innerHTML.includes(`href="${url}"`); i++) await new Promise((done) => setTimeout(done, 20));
assert.ok(document.body.innerHTML.includes(`href="${url}"`) && document.body.textContent.includes("Open from 8 to 4"), document.body.innerHTML);
assert.ok(asked.some((one) => String(one).endsWith("/search/summarize/stream")));
const stream = await plain(`${base}/api/v4/${customer}/${engine}/search/summarize/stream`, { method: "POST", headers: siteKey, body: JSON.stringify({ query: "hours", queryId: found.QueryId, sources: [{ id: url, fields: ["Title"] }] }) });
await call(`v4/${customer}/${engine}/search/summarize/feedback`, { rating: "positive", summaryId: stream.headers.get("Cludo-Summary-Id"), sessionId: "s", deviceType: "desktop" });
const answer = await call(`v4/${customer}/${engine}/search/answer`, { question: "When is it open?", sourceFields: ["Title"], conversationId: "", language: "en", answerLength: "concise" });
assert.equal(answer.statusCode, 200);
for (const key of ["answer", "url", "conversationId", "exchangeId"]) assert.equal(typeof answer.value[key], "string");
const { conversationId, exchangeId } = answer.value;
await call(`v4/${customer}/${engine}/search/answer/feedback`, { conversationId, exchangeId, rating: "positive", language: "en" });
await call(`v4/${customer}/${engine}/search/answer/click`, { conversationId, exchangeId, url, language: "en", screenResolution: "1x1" });
console.log("summary and answer are shown, and their feedback is taken");

const log = { sz: "1x1", ua: "u", refurl: url, refpt: "t", sw: "hours", brl: "en", pn: 1, hn: "www.example.com", enid: engine, qid: found.QueryId, sid: "s", qsid: "q", ts: true, dt: "desktop", it: "standard", trts: "", sf: { Category: ["Service"] }, a: 0 };
await call(`v3/${customer}/${engine}/search/pushstat/querylog`, { ...log, swr: "hours", rc: 2, fquery: "", rt: 3, ql: 0, ban: 0, bnrs: [1], ety: "initialSearch", etr: "searchBar", page: 1 });
await call(`v3/${customer}/${engine}/search/pushstat/clicklog`, { ...log, clurl: url, cli: 1, title: "Opening hours", ls: "searchresult", cloi: null });
console.log("events are taken as they are typed");
process.exit(0);
