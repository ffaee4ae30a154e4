import { describe, expect, it } from "vitest";
import { expandLink, findValueless, parseLinkTemplate } from "./link-template.ts";
import { type LinkValues, linkPlaces } from "./link-values.ts";

function expand(url: string, values: LinkValues): string | undefined {
  const parsed = parseLinkTemplate(url);
  if (!parsed.ok) throw new Error(parsed.reason);
  return expandLink(parsed.template, values);
}

describe("expanding", () => {
  it.each<{ name: string; url: string; values: LinkValues; href: string | undefined }>([
    {
      name: "path and query",
      url: "https://wiki.example.com/{namespace}/{name}?rev={revision}",
      values: { namespace: "shop", name: "cart", revision: "7" },
      href: "https://wiki.example.com/shop/cart?rev=7",
    },
    { name: "no placeholder", url: "https://wiki.example.com/", values: {}, href: "https://wiki.example.com/" },
    { name: "a missing value", url: "https://a.example/{podHash}", values: { name: "x" }, href: undefined },
    {
      name: "what ends a part of the address",
      url: "https://a.example/{name}?q={query}#{metric}",
      values: { name: "a/b?c#d", query: "x&y=z#w", metric: "m#n" },
      href: "https://a.example/a%2Fb%3Fc%23d?q=x%26y%3Dz%23w#m%23n",
    },
    {
      name: "a query of PromQL",
      url: "https://g.example/explore?expr={query}&from={fromMs}",
      values: { query: 'sum(rate(x{code=~"5.."}[5m])) / 2 + 1', fromMs: "1700000000000" },
      href: "https://g.example/explore?expr=sum%28rate%28x%7Bcode%3D~%225..%22%7D%5B5m%5D%29%29%20%2F%202%20%2B%201&from=1700000000000",
    },
    {
      name: "a text within JSON",
      url: "https://g.example/explore?panes=%7B%22expr%22%3A%22{query:json}%22%7D",
      values: { query: 'a{b="c"}\n' },
      href: "https://g.example/explore?panes=%7B%22expr%22%3A%22a%7Bb%3D%5C%22c%5C%22%7D%5Cn%22%7D",
    },
    {
      name: "placeholders in a value are text",
      url: "https://a.example/{name}",
      values: { name: "{cluster}", cluster: "c" },
      href: "https://a.example/%7Bcluster%7D",
    },
    {
      name: "letters of other scripts",
      url: "https://a.example/?q={query}",
      values: { query: "größe ☃" },
      href: "https://a.example/?q=gr%C3%B6%C3%9Fe%20%E2%98%83",
    },
    {
      name: "half a character",
      url: "https://a.example/?q={query}",
      values: { query: "\ud800" },
      href: "https://a.example/?q=%EF%BF%BD",
    },
    {
      name: "a cluster in the host",
      url: "https://grafana.{cluster}.example.com/{name}",
      values: { cluster: "prod-eu", name: "x" },
      href: "https://grafana.prod-eu.example.com/x",
    },
    {
      name: "another host in the host",
      url: "https://{namespace}.example.com/",
      values: { namespace: "evil.example/" },
      href: undefined,
    },
    {
      name: "a user in the host",
      url: "https://{namespace}.example.com/",
      values: { namespace: "a@b" },
      href: undefined,
    },
    { name: "the folder above", url: "https://a.example/x/{name}/y", values: { name: ".." }, href: undefined },
    { name: "the same folder", url: "https://a.example/x/{name}", values: { name: "." }, href: undefined },
    {
      name: "the folder above, in two values",
      url: "https://a.example/x/{name}{run}/y",
      values: { name: ".", run: "." },
      href: undefined,
    },
    {
      name: "dots in a query",
      url: "https://a.example/x?n={name}",
      values: { name: ".." },
      href: "https://a.example/x?n=..",
    },
    {
      name: "a very long value",
      url: "https://a.example/{query}",
      values: { query: "x".repeat(20_000) },
      href: undefined,
    },
    {
      name: "quotes and parentheses",
      url: "https://a.example/{name}",
      values: { name: "it's(1)*!" },
      href: "https://a.example/it%27s%281%29%2A%21",
    },
  ])("encodes $name", ({ url, values, href }) => {
    expect(expand(url, values)).toBe(href);
  });
});

describe("a template", () => {
  it.each([
    { url: "https://a.example/{nope}", reason: "unknown placeholder {nope}" },
    { url: "https://a.example/{}", reason: "unknown placeholder {}" },
    { url: "https://a.example/{constructor}", reason: "unknown placeholder {constructor}" },
    { url: "https://a.example/{query:base64}", reason: 'unknown form "base64" of {query}' },
    { url: "https://a.example/{query:json:json}", reason: "unknown form" },
    { url: 'https://a.example/?p=%7B{"a":1}', reason: "quote" },
    { url: "https://a.example/{name", reason: "write %7B" },
    { url: "https://a.example/name}", reason: "write %7B" },
    { url: "javascript:alert(1)", reason: "https://" },
    { url: "ftp://a.example/{name}", reason: "https://" },
    { url: "{cluster}://a.example", reason: "https://" },
    { url: "https://user@a.example/", reason: "no user" },
    { url: "https://user:pw@a.example/", reason: "no user" },
    { url: "https://", reason: "cannot be used" },
    { url: "https://{name}.example.com/", reason: "only {cluster} and {namespace}" },
    { url: "https://{cluster:json}.example.com/", reason: "only {cluster} and {namespace}" },
    { url: "https://a.example:{revision}/", reason: "only {cluster} and {namespace}" },
    { url: "https://a.example\\@b.example/", reason: "backslash" },
    { url: "https://a.example/ {name}", reason: "space" },
    { url: "https://a.example/\u202e{name}", reason: "invisible" },
  ])("refuses $url", ({ url, reason }) => {
    const parsed = parseLinkTemplate(url);
    expect(parsed.ok ? "accepted" : parsed.reason).toContain(reason);
  });

  it.each([
    {
      url: "https://a.example/{query}",
      valueless: { rollout: "query", release: "query", run: "query", metric: undefined },
    },
    {
      url: "https://a.example/{run}",
      valueless: { rollout: "run", release: "run", run: undefined, metric: undefined },
    },
    {
      url: "https://a.example/{name}",
      valueless: { rollout: undefined, release: undefined, run: undefined, metric: undefined },
    },
  ])("knows where $url never has a value", ({ url, valueless }) => {
    const parsed = parseLinkTemplate(url);
    if (!parsed.ok) throw new Error(parsed.reason);
    expect(Object.fromEntries(linkPlaces.map((place) => [place, findValueless(parsed.template, place)]))).toEqual(
      valueless,
    );
  });
});
