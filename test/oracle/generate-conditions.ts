import { type Chooser, createChooser } from "./choose.ts";

/** One question to both: `value` as JSON, a float64 that JSON lacks as text. */
export type ConditionCase = {
  id: number;
  type: "float64" | "*float64" | "[]float64" | "[]any" | "string" | "json";
  value: unknown;
  success: string;
  failure: string;
};

type Kind = "number" | "list" | "text" | "object";

const comparisons = ["<", "<=", ">", ">=", "==", "!="];
const numbers =
  "0|1|0.95|0.01|100|1e3|-1|0.5|1e-9|3|2|10|5.0|1_000|99.9|0x10|.5|1.|9007199254740993|1e309|0.1 + 0.2".split("|");
const texts = ['"ok"', "'OK'", '"1"', "'true'", '"5xx"', "`raw`", '"é"', '"\\u00e9"', '""', "'it\\'s'"];

/** Expressions by kind of value; most fit a value of that kind. They are split at `;`. */
const accessors: Readonly<Record<Kind, readonly string[]>> = {
  number:
    "result;default(result, 0);asFloat(result);asInt(result);float(result);int(result);abs(result);round(result);floor(result);ceil(result);(result * 100);result / 2;result % 2;-result;result ** 2;max(result, 0);min(result, 1, 2);result + 1;100 - result;string(result);result ?? 0;len(string(result));result - result;result ^ 2;toJSON(result);type(result)".split(
      ";",
    ),
  list: 'result[0];result[1];result[2];result[-1];result[10];asFloat(result[0]);asInt(result[0]);len(result);max(result);min(result);sum(result);mean(result);median(result);first(result);last(result);count(result, # > 0.5);count(result, {# > 0.5});len(filter(result, {# > 0}));result[0] / result[1];sum(map(result, # * 2));reduce(result, #acc + #, 0);result?.[0];default(result, [0])[0];default(result, 0);sort(result)[0];sum(result) / len(result);result[0:1][0];result[:1];result | first;result | filter(# > 0) | len;reverse(result)[0];uniq(result)[0];float(result[0]);get(result, 0);take(result,1)[0];result[len(result)-1];result.0;find(result, # > 0);findIndex(result, # > 0);flatten(result);concat(result, [1])[0];groupBy(result, # > 1);join(map(result, string(#)), ",");result[0] ?? 1;indexOf(result, 1);result[0:];len(1..3)'.split(
    ";",
  ),
  text: 'result;lower(result);upper(result);trim(result);len(result);asFloat(result);asInt(result);int(result);float(result);result[0];result[0:2];split(result, ",")[0];string(result);indexOf(result, "k");replace(result, "o", "0");trimPrefix(result, "o");fromJSON(result);result + "x";repeat(result, 2);hasPrefix(result, "o");result | lower()'.split(
    ";",
  ),
  object:
    'result.rate;result.ok;result.missing;result["a-b"];result?.rate;asFloat(result.rate);get(result, "rate");get(result, "missing");result.data.rate;result.data?.x?.y;result.items[0].v;len(result.items);len(result);len(keys(result));result.items[-1].v;sum(result.items, .v);map(result.items, .v)[0];map(result.items, {#.v})[0];filter(result.items, .v > 1)[0].v;count(result.items, .ok);default(result.missing, 5);result.missing ?? 5;result.n;result.s;"rate" in result;result;result.data["rate"];keys(result)[0];result.items | map(.v) | sum();result.nested.deep[1];toPairs(result)[0][0];values(result)[0];date(result.ts);result.ts;duration("1m");let x = result.n; x + 1;result.items[0]["v"];string(result.n);int(result.n);result.big;asInt(result.big);asInt(result.s)'.split(
      ";",
    ),
};

const listPredicates =
  "{# > 1};isNaN(#);!isNaN(#);# in [1,2];# < 2 || isNaN(#);true;#;asFloat(#) > 0;# == nil;isInf(#)".split(";");
const itemPredicates =
  '.ok;.v > 1;{#.v > 1};#.v < 3 and .ok;.missing == nil;.v in 1..3;.name == "a";.name matches "^a";#.name contains "b";.name startsWith "a";not .ok'.split(
    ";",
  );
const textPredicates =
  'result in ["ok","OK"];result matches "^o+k$";result matches "(?i)OK";result == "ok" ? true : false;result not matches "x";len(result) > 0;result;not (result == "");result contains result'.split(
    ";",
  );
const anyPredicates =
  'isNaN(result);!isNaN(result);isInf(result);isNil(result);not isNil(result);result == nil;result != nil;nil == result;isNaN(result[0]);!isNaN(result[0]);isNil(result[0]);len(result) == 0;len(result) > 0;result == [1];result in [1,2,3];result in 1..5;0.5 in result;true;false;not true;result == true;result;isInf(result[0]);isNaN(default(result, 0));result == {};result == "";1 < 2;nil;result is nil;isNaN(asFloat(result))'.split(
    ";",
  );
const broken =
  'result[0] => 0.95;result[0] < ;result >= 0.95%;len(result) > 0 ? result[0] < 1;{{result}} > 1;result[0] >= {{args.x}};result.[0] > 1;result[0] >= 0,95;result <> 1;result >= "0.95;result = 1;> 0.95;result >= 95%;result == OK;Result[0] > 1;result[0]>=0.95&&result[0]<2;result[0] > 1 AND result[0] < 2;result > 1 xor true;result !== 1;result === 1;result>=0.95 & result<2;result =~ "x";isNan(result[0]);max(result...);result[0]?.x'.split(
    ";",
  );

/** Generates conditions with values, mostly valid, as people write them. */
export function generateConditions(seed: number, count: number): ConditionCase[] {
  const choose = createChooser(seed);
  return Array.from({ length: count }, (_, id) => {
    const { type, value, kind } = makeValue(choose);
    const asked = choose.may(0.06) ? choose.of<Kind>(["number", "list", "text", "object"]) : kind;
    const success = choose.may(0.9) ? makeCondition(choose, asked) : "";
    const failure = success === "" || choose.may(0.25) ? makeCondition(choose, asked) : "";
    return { id, type, value, success, failure };
  });
}

function makeCondition(choose: Chooser, kind: Kind, depth = 0): string {
  const share = choose.share();
  const inner = (): string => makeCondition(choose, kind, depth + 1);
  if (depth < 2 && share < 0.22) return `${inner()} ${choose.of(["&&", "||", "and", "or"])} ${inner()}`;
  if (depth < 2 && share < 0.28) return `!(${inner()})`;
  if (depth < 2 && share < 0.32) return `not (${inner()})`;
  const predicate = makePredicate(choose, kind);
  if (depth < 2 && share < 0.38)
    return `${predicate} ? ${makePredicate(choose, kind)} : ${makePredicate(choose, kind)}`;
  if (depth < 2 && share < 0.41) return `(${inner()})`;
  if (share < 0.43) return `${predicate.replaceAll(" ", "\n  ")}\n`;
  if (share < 0.44) return `${predicate} // note`;
  if (share < 0.45) return `${predicate} /* note */`;
  return share < 0.47 ? choose.of(broken) : predicate;
}

function makePredicate(choose: Chooser, kind: Kind): string {
  const quantifier = choose.of(["all", "any", "none", "one"]);
  if (kind === "list" && choose.may(0.3)) {
    const compared = `# ${choose.of(comparisons)} ${choose.of(numbers)}`;
    return `${quantifier}(result, ${choose.of([compared, `{${compared}}`, ...listPredicates])})`;
  }
  if (kind === "object" && choose.may(0.2)) return `${quantifier}(result.items, ${choose.of(itemPredicates)})`;
  if (kind === "text" && choose.may(0.5)) {
    const words = [
      "==",
      "!=",
      "contains",
      "startsWith",
      "endsWith",
      "matches",
      "in",
      "<",
      ">",
      "not in",
      "not contains",
    ];
    return choose.of([`result ${choose.of(words)} ${choose.of(texts)}`, ...textPredicates]);
  }
  if (choose.may(0.2)) return choose.of(anyPredicates);
  const left = choose.of(accessors[kind]);
  const right = choose.may(0.8) ? choose.of(numbers) : choose.of([...texts, "nil", "true", "result", "[1]", "val"]);
  const [one, other] = choose.may(0.12) ? [right, left] : [left, right];
  return `${one} ${choose.of(comparisons)} ${other}`;
}

const floats = [
  ...[0, 1, 0.95, 0.949999999, 0.01, 100, -1, 1e-9, "NaN", "+Inf", "-Inf", 3, 2, 1e21, 0.1 + 0.2, 5e-324],
  ...[1.7976931348623157e308, 9007199254740992, 9007199254740994, 123456789.125, -0.5, 2.5, 3.5],
];

function makeValue(choose: Chooser): Pick<ConditionCase, "type" | "value"> & { kind: Kind } {
  const share = choose.share();
  const float = () => choose.of(floats);
  if (share < 0.22) return { type: "float64", value: float(), kind: "number" };
  if (share < 0.3) return { type: "*float64", value: choose.may(0.5) ? null : float(), kind: "number" };
  if (share < 0.58)
    return { type: "[]float64", value: choose.times(choose.of([0, 1, 1, 1, 2, 2, 3]), float), kind: "list" };
  if (share < 0.63) return { type: "[]any", value: choose.times(choose.between(0, 2), float), kind: "list" };
  if (share < 0.7)
    return { type: "string", value: choose.of(["ok", "OK", "", "5xx", "1", "0.95", "NaN", "a,b", "é"]), kind: "text" };
  if (share < 0.78) {
    const value = makeJson(choose);
    return { type: "json", value, kind: kindOf(value) };
  }
  return { type: "json", value: makeObject(choose), kind: "object" };
}

function kindOf(value: unknown): Kind {
  if (typeof value === "string") return "text";
  if (Array.isArray(value)) return "list";
  return typeof value === "object" && value !== null ? "object" : "number";
}

const plain = [0, 1, 0.95, 0.01, 100, -1, 2, 3, 5.5];

function makeJson(choose: Chooser): unknown {
  const share = choose.share();
  if (share < 0.3) return choose.of([0, 1, 0.5, -1, 1e21, 123, 2.5, 1e-7]);
  if (share < 0.45)
    return choose.of(["ok", "OK", "1", "", "0.5", "5xx", "é", "NaN", "true", "a,b", " x ", "1e3", "0x10", "null"]);
  if (share < 0.52) return choose.of<boolean | string>([true, false, ""]) || null;
  if (share < 0.65) return choose.times(choose.between(0, 4), () => choose.of(plain));
  return makeObject(choose);
}

/** Each field is there mostly. */
function makeObject(choose: Chooser): Record<string, unknown> {
  const number = () => choose.of(plain);
  const flag = () => choose.may(0.5);
  const fields: Readonly<Record<string, () => unknown>> = {
    rate: number,
    ok: flag,
    data: () => ({ rate: number(), x: flag() ? null : { y: 1 } }),
    items: () =>
      choose.times(choose.between(0, 3), () => ({ v: number(), ok: flag(), name: choose.of(["a", "ab", "b"]) })),
    "a-b": number,
    nested: () => ({ deep: [1, [2], { z: 3 }] }),
    n: () => [1, 2.5, null, "1"][choose.between(0, 3)],
    s: () => ["ok", "12", "", null][choose.between(0, 3)],
    ts: () => choose.of<string | number>(["2024-01-02T03:04:05Z", 1_700_000_000]),
    big: () => choose.of([1e300, -1e19]),
  };
  return Object.fromEntries(Object.entries(fields).flatMap(([key, make]) => (choose.may(0.85) ? [[key, make()]] : [])));
}
