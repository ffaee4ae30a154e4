import { expect, it } from "vitest";
import { formatCsvCell } from "#lib/util/format-csv-cell.ts";

it.each([
  { value: undefined, cell: "" },
  { value: "", cell: "" },
  { value: "[0.9471]", cell: "[0.9471]" },
  { value: "[1,2]", cell: '"[1,2]"' },
  { value: 'a "b"', cell: '"a ""b"""' },
  { value: "=1+1", cell: "'=1+1" },
  { value: "-0.5", cell: "'-0.5" },
  { value: -0.5, cell: "-0.5" },
  { value: 0, cell: "0" },
  { value: 1e-9, cell: "1e-9" },
])("writes $value as $cell", ({ value, cell }) => {
  expect(formatCsvCell(value)).toBe(cell);
});
