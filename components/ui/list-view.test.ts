import { expect, it } from "vitest";
import { chooseColumns } from "./list-view.tsx";

const columns = [
  { key: "state", header: "State", width: "10%", cell: () => null },
  { key: "name", header: "Name", width: "10%", cell: () => null, isName: true },
  { key: "cluster", header: "Cluster", width: "10%", cell: () => null },
  { key: "kind", header: "Kind", width: "10%", cell: () => null, isExtra: true },
];

type Case = { name: string; chosen: string[] | undefined; hasClusters: boolean; expected: string[] };

it.each<Case>([
  { name: "one cluster", chosen: undefined, hasClusters: false, expected: ["state", "name"] },
  { name: "several clusters", chosen: undefined, hasClusters: true, expected: ["state", "name", "cluster"] },
  {
    name: "a choice, in the table's order",
    chosen: ["kind", "state"],
    hasClusters: true,
    expected: ["state", "name", "kind"],
  },
  {
    name: "the cluster, although there is one",
    chosen: ["cluster"],
    hasClusters: false,
    expected: ["name", "cluster"],
  },
  { name: "columns of another version", chosen: ["gone", "kind"], hasClusters: true, expected: ["name", "kind"] },
  { name: "no column that is known", chosen: ["gone"], hasClusters: true, expected: ["state", "name", "cluster"] },
  { name: "nothing", chosen: [], hasClusters: false, expected: ["state", "name"] },
])("shows for $name: $expected", ({ chosen, hasClusters, expected }) => {
  expect(chooseColumns({ columns, chosen, hasClusters }).map(({ key }) => key)).toEqual(expected);
});
