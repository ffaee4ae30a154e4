import { MantineProvider } from "@mantine/core";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { formatExact } from "#components/ui/format-time.ts";
import { RelativeTime } from "#components/ui/relative-time.tsx";

const at = "2026-11-24T08:00:00Z";

it.each([
  { form: "ago", full: formatExact(at) },
  { form: "since", full: formatExact(at) },
  { form: "for", full: `since ${formatExact(at)}` },
] as const)("a time with the form $form reads as a part of its sentence on paper", ({ form, full }) => {
  const markup = renderToStaticMarkup(
    <MantineProvider>
      <RelativeTime at={at} form={form} />
    </MantineProvider>,
  );
  expect(markup).toContain(`data-full="${full}"`);
});
