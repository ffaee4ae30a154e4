/** Whose log it is. */
export type LogFacts = { app: string; container: string; image: string };

const PATHS = ["/v1/quote", "/v1/orders", "/v1/orders/8817", "/healthz", "/v1/search?q=lamp", "/v1/basket"];
const ESC = "\u001b";

/** Writes the lines that a container logs on start. */
export function writeStart({ app, container, image }: LogFacts): string[] {
  const version = image.slice(image.lastIndexOf(":") + 1);
  if (container === "migrate")
    return ["connecting to database", "schema is at version 41", "nothing to migrate", "done in 212 ms"];
  if (container === "proxy")
    return [`[info] proxy ${version} starting`, "[info] 3 clusters added", "[info] all listeners ready"];
  return [
    `level=info msg="starting" app=${app} version=${version}`,
    'level=info msg="configuration loaded" file=/etc/app/config.yaml',
    'level=info msg="listening" addr=:8080',
  ];
}

/** Writes the last words of a container that has ended. */
export function writeStop({ container }: LogFacts, exitCode: number): string[] {
  if (container === "migrate" || exitCode === 0) return [];
  return [
    "panic: runtime error: invalid memory address or nil pointer dereference",
    "[signal SIGSEGV: segmentation violation code=0x1 addr=0x18 pc=0x7d2c11]",
    "goroutine 211 [running]:",
    "main.(*pricer).quote(0x0, {0xc000412000, 0x1c})",
    "\t/src/pricer.go:118 +0x31",
  ];
}

/** Writes the lines about one request; `metric` is the one that it makes fail. */
export function writeRequest({ container }: LogFacts, dice: number, metric: string | undefined): string[] {
  const path = PATHS[dice % PATHS.length] ?? "/";
  const trace = dice.toString(16).padStart(8, "0");
  const isBad = metric !== undefined ? dice % 10 < 7 : dice % 400 === 0;
  if (container === "proxy") return [writeProxyLine(path, trace, isBad)];
  if (!isBad) {
    const ms = 8 + (dice % 90);
    return [`level=info msg="request" method=GET path=${path} status=200 duration=${ms}ms trace=${trace}`];
  }
  if (metric !== undefined && /latency|duration/.test(metric))
    return [
      `level=warn msg="slow request" method=GET path=${path} status=200 duration=${700 + (dice % 900)}ms trace=${trace}`,
    ];
  return [
    `level=error msg="request failed" method=POST path=${path} status=503 duration=${1200 + (dice % 800)}ms trace=${trace}`,
    `level=error msg="call failed" upstream=inventory error="context deadline exceeded" trace=${trace}`,
  ];
}

/** The proxy colours its lines, as many programs do that think a person is watching. */
function writeProxyLine(path: string, trace: string, isBad: boolean): string {
  return isBad
    ? `${ESC}[31m[error]${ESC}[0m upstream reset "POST ${path}" 503 UF trace=${trace}`
    : `${ESC}[32m[info]${ESC}[0m "GET ${path}" 200 - trace=${trace}`;
}
