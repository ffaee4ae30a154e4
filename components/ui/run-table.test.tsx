import { MantineProvider } from "@mantine/core";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { RunReason } from "#components/ui/run-table.tsx";

it.each([
  {
    message: 'Metric "success-rate" assessed Inconclusive due to inconclusive (4) > inconclusiveLimit (3)',
    words: "success-rate was Inconclusive 4 times (3 allowed)",
  },
  {
    message: 'Metric "error-rate" assessed Failed due to failed (2) > failureLimit (1)',
    words: "error-rate failed 2 times (1 allowed)",
  },
  { message: 'Metric "m" is odd', words: "Metric &quot;m&quot; is odd" },
  { message: "Run Terminated", words: "Run Terminated" },
  { message: "", words: "" },
])("gives as the reason of a run: $words", ({ message, words }) => {
  const markup = renderToStaticMarkup(
    <MantineProvider>
      <RunReason run={{ message }} />
    </MantineProvider>,
  );
  expect(markup.replaceAll(/<style.*?<\/style>|<script.*?<\/script>|<[^>]*>/gs, "")).toBe(words);
});
