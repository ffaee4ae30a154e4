import { describe, expect, it } from "vitest";
import type { Message } from "./compose-messages.ts";
import { escapeSlack, formatSlack } from "./format-slack.ts";
import { describeMessage, formatCloudEvent, formatEmail } from "./formats.ts";
import { linkTo } from "./notifiable-event.ts";
import { sampleEvent, sampleMatter, targetOf } from "./testing/sample-event.ts";

const publicUrl = "https://gatehouse.example.org";
const hostile = `<!channel> <@U1> *b* & "q" <script>alert('x')</script> \`c\` @here`;
const messageOf = (change: Partial<Message> = {}): Message => ({
  id: "5f0c7c1e-0000-8000-8000-000000000001",
  shape: "single",
  severity: "info",
  title: "shop/web: Waits for a person",
  routes: ["all"],
  events: [sampleEvent("1")],
  ...change,
});
const many = Array.from({ length: 24 }, (_, index) =>
  sampleEvent(String(index), { target: targetOf(`web-${index}`), severity: index === 23 ? "critical" : "info" }),
);

describe("describeMessage", () => {
  it("lists the most severe first, and counts what it leaves out", () => {
    const { events, more } = describeMessage(messageOf({ events: many }), publicUrl);
    expect(events[0]?.heading).toBe("shop/web-23: Waits for a person");
    expect({ listed: events.length, more }).toEqual({ listed: 10, more: 14 });
  });

  it("keeps a title on one line, and cuts what is too long", () => {
    const event = sampleEvent("1", { title: "a\n\nb", sentence: "x".repeat(2000) });
    const { title, events } = describeMessage(
      messageOf({ title: `a\r\nb ${"c".repeat(500)}`, events: [event] }),
      publicUrl,
    );
    expect(title).toMatch(/^a b c+…$/);
    expect(title).toHaveLength(200);
    expect(events[0]?.heading).toBe("shop/web: a b");
    expect(events[0]?.sentence).toHaveLength(600);
  });
});

describe("texts of a cluster", () => {
  const control = "a\r\nBcc: x\u2028y\u0007\u001b[31m \u202egnp\u2066 z\u200bw";
  const clean = "a Bcc: x y[31m gnp zw";
  const event = sampleEvent("1", {
    ...{ title: control, sentence: control, facts: [{ label: control, value: control }] },
    target: { cluster: "prod", namespace: "shop", kind: "Rollout", name: control },
  });
  const message = messageOf({ title: control, events: [event] });
  // Ours: line breaks between the lines of a message.
  const odd = /(?!\n)[\p{C}\u2028\u2029]/u;

  it("are one line of every message, without control, format and direction characters", () => {
    const described = describeMessage(message, publicUrl);
    expect(described).toMatchObject({
      title: clean,
      events: [{ sentence: clean, facts: [{ label: clean, value: clean }] }],
    });
    expect(formatCloudEvent(message, publicUrl).data).toMatchObject({
      title: clean,
      events: [{ title: clean, sentence: clean, facts: [{ label: clean, value: clean }] }],
    });
    const { subject, text, html } = formatEmail(message, publicUrl);
    for (const each of [subject, text, html]) expect(each).not.toMatch(odd);
    // A heading, a sentence, a fact, the place and the link.
    expect(text.split("\n")).toHaveLength(5);
    const slack = formatSlack(message, { publicUrl });
    // Ours: the space that keeps a sign from formatting.
    for (const each of textsOf(slack)) expect(each.replaceAll("\u200b", "")).not.toMatch(odd);
  });

  it("are shown by Slack as they are: no address, channel or name becomes a link or a mention", () => {
    const { blocks, ...rest } = formatSlack(message, { publicUrl });
    expect(rest).toMatchObject({ mrkdwn: false, parse: "none", link_names: false });
    for (const block of blocks) {
      if (block.type === "header") expect(block.text).toMatchObject({ type: "plain_text", emoji: false });
      if (block.type === "section") expect(block.text.verbatim).toBe(true);
      if (block.type === "context") for (const element of block.elements) expect(element.verbatim).toBe(true);
    }
  });
});

function textsOf({ text, blocks }: ReturnType<typeof formatSlack>): string[] {
  const inBlocks = blocks.flatMap((block) => {
    if (block.type === "actions") return block.elements.map((element) => element.text.text);
    return block.type === "context" ? block.elements.map((element) => element.text) : [block.text.text];
  });
  return [text, ...inBlocks];
}

it.each([
  ["/findings/1", "https://gatehouse.example.org/findings/1"],
  ["//evil.example/x", "https://gatehouse.example.org/"],
  ["https://evil.example/x", "https://gatehouse.example.org/"],
  ["/\\evil.example", "https://gatehouse.example.org/"],
  ["javascript:alert(1)", "https://gatehouse.example.org/"],
])("path %s links to %s", (path, link) => {
  expect(linkTo(`${publicUrl}/`, path)).toBe(link);
});

describe("formatSlack", () => {
  it("has text for where blocks are not shown, a link, facts and the id", () => {
    const { text, blocks } = formatSlack(messageOf(), { publicUrl });
    expect(text).toBe("shop/web: Waits for a person");
    const all = JSON.stringify(blocks);
    expect(all).toContain(`<${publicUrl}/rollouts/prod/shop/Rollout/web|shop/web: Waits for a person>`);
    expect(all).toContain("Step: 2 of 5");
    expect(all).toContain("prod/shop/Rollout/web");
    expect(all).toContain("5f0c7c1e-0000-8000-8000-000000000001");
  });

  it("says how many more there are", () => {
    expect(JSON.stringify(formatSlack(messageOf({ events: many }), { publicUrl }))).toContain("|and 14 more>");
  });

  it("lets no text notify a channel or look like a link", () => {
    const event = sampleEvent("1", { title: hostile, sentence: hostile, facts: [{ label: hostile, value: hostile }] });
    const { text, blocks } = formatSlack(messageOf({ title: hostile, events: [event] }), { publicUrl });
    const formatted = JSON.stringify([text, blocks.filter(({ type }) => type !== "header")]);
    for (const mark of ["<!", "<@", "<script", "@here", "*b*", "`c`"]) expect(formatted).not.toContain(mark);
  });

  it("stays within Slack's limits", () => {
    const long = sampleEvent("1", {
      title: "&".repeat(500),
      sentence: "<".repeat(5000),
      facts: Array.from({ length: 30 }, () => ({ label: "x".repeat(500), value: "&".repeat(5000) })),
    });
    const events = [sampleMatter("m", long), ...Array(199).fill(long)];
    const { blocks } = formatSlack(messageOf({ title: "t".repeat(500), events }), { publicUrl, hasActions: true });
    expect(blocks.length).toBeLessThanOrEqual(50);
    for (const block of blocks) {
      if (block.type === "header") expect(block.text.text.length).toBeLessThanOrEqual(150);
      if (block.type === "section") expect(block.text.text.length).toBeLessThanOrEqual(3000);
    }
  });

  const buttonsOf = (event: Message["events"][number], hasActions: boolean) =>
    formatSlack(messageOf({ events: [event] }), { publicUrl, hasActions }).blocks.flatMap((block) =>
      block.type === "actions" ? block.elements : [],
    );

  it("has a button that opens the decision, and two that are sent to us if clicks are answered", () => {
    const wait = sampleMatter("1", { severity: "warning" });
    const url = `${publicUrl}/rollouts/prod/shop/Rollout/web`;
    expect(buttonsOf(wait, false)).toMatchObject([{ url, text: { text: "Open the decision" } }]);
    const [open, ...others] = buttonsOf(wait, true);
    expect(open).toMatchObject({ url });
    expect(others.map((each) => [each.action_id, each.url])).toEqual([
      ["gatehouse.claim", undefined],
      ["gatehouse.snooze", undefined],
    ]);
    for (const { value } of others)
      expect(JSON.parse(value ?? "")).toEqual({ ...wait.target, since: wait.matter?.since, severity: "warning" });
  });

  it("has no such buttons for a finding, for something that is over, and for names that are too long", () => {
    const finding = sampleMatter("1", { kind: "finding-opened" }, { rolloutId: null });
    expect(buttonsOf(finding, true).map(({ text }) => text.text)).toEqual(["Open"]);
    expect(buttonsOf(sampleMatter("1", { kind: "wait-ended" }), true)).toEqual([]);
    const long = sampleMatter("1", { target: targetOf("x".repeat(2000)) });
    expect(buttonsOf(long, true)).toHaveLength(1);
  });

  it("escapes what Slack asks to escape", () => {
    expect(escapeSlack("a & b < c > d")).toBe("a &amp; b &lt; c &gt; d");
  });
});

it("says in every channel that something is over", () => {
  const over = messageOf({
    severity: "critical",
    events: [sampleEvent("1", { kind: "finding-closed", severity: "critical" })],
  });
  expect(JSON.stringify(formatSlack(over, { publicUrl }).blocks)).toContain("✅ Over · prod/shop/Rollout/web");
  const { subject, text, html } = formatEmail(over, publicUrl);
  expect(subject).toMatch(/^\[Over\] /);
  for (const body of [text, html]) expect(body).toContain("Over, prod/shop/Rollout/web");
  const both = formatEmail({ ...over, events: [...over.events, sampleEvent("2")] }, publicUrl);
  expect(both.subject).toMatch(/^\[Critical\] /);
});

describe("formatEmail", () => {
  it("says the same as text and as HTML", () => {
    const { subject, text, html } = formatEmail(messageOf({ severity: "warning" }), publicUrl);
    expect(subject).toBe("[Warning] shop/web: Waits for a person");
    for (const said of [
      "shop/web waits for a person.",
      "Step",
      "2 of 5",
      `${publicUrl}/rollouts/prod/shop/Rollout/web`,
    ]) {
      expect(text).toContain(said);
      expect(html).toContain(said);
    }
  });

  it("lets no text become markup, and no title another header", () => {
    const event = sampleEvent("1", { title: hostile, sentence: hostile, facts: [{ label: hostile, value: hostile }] });
    const { subject, html } = formatEmail(messageOf({ title: `a\r\nBcc: x@example.org`, events: [event] }), publicUrl);
    expect(html).not.toContain("<script");
    expect(html).not.toContain("<!channel");
    expect(subject).not.toMatch(/[\r\n]/);
  });
});

describe("formatCloudEvent", () => {
  it("is a CloudEvent whose id is the message's", () => {
    expect(formatCloudEvent(messageOf(), publicUrl)).toEqual({
      specversion: "1.0",
      id: "5f0c7c1e-0000-8000-8000-000000000001",
      source: publicUrl,
      type: "io.gatehouse.waiting",
      time: "2026-11-23T10:00:00.000Z",
      subject: "prod/shop/Rollout/web",
      datacontenttype: "application/json",
      data: {
        title: "shop/web: Waits for a person",
        severity: "info",
        events: [
          {
            id: sampleEvent("1").id,
            kind: "waiting",
            severity: "info",
            target: { cluster: "prod", namespace: "shop", kind: "Rollout", name: "web" },
            title: "Waits for a person",
            sentence: "shop/web waits for a person.",
            facts: [{ label: "Step", value: "2 of 5" }],
            at: "2026-11-23T10:00:00.000Z",
            link: `${publicUrl}/rollouts/prod/shop/Rollout/web`,
          },
        ],
      },
    });
  });

  it.each([
    ["group", "io.gatehouse.group", true],
    ["digest", "io.gatehouse.digest", false],
  ] as const)("a %s has the type %s", (shape, type, hasSubject) => {
    const event = formatCloudEvent(messageOf({ shape, events: many }), publicUrl);
    expect(event.type).toBe(type);
    expect(event.subject !== undefined).toBe(hasSubject);
    expect(event.data.events).toHaveLength(24);
  });
});
