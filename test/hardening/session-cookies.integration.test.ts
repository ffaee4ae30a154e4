import { decode } from "next-auth/jwt";
import { afterEach, expect, it } from "vitest";
import { z } from "zod";
import { handleAuth } from "#lib/server/edge/http/handle-auth.ts";
import { startTestWeb, type TestWeb, testAccounts } from "#test/web-runtime.ts";

let web: TestWeb | undefined;
afterEach(() => web?.close());

/** Signs in as a browser does, and returns each Set-Cookie of the way. */
async function signIn(publicUrl: string): Promise<string[]> {
  const call = (path: string, init: RequestInit) =>
    handleAuth({ request: new Request(`${publicUrl}/api/auth/${path}`, init), segments: path.split("/") });
  const first = await call("csrf", {});
  const { csrfToken } = z.object({ csrfToken: z.string() }).parse(await first.json());
  const sent = first.headers.getSetCookie();
  const cookie = sent.map((line) => line.split(";")[0]).join("; ");
  const headers = { cookie, "sec-fetch-site": "same-origin", "sec-fetch-mode": "navigate" };
  const body = new URLSearchParams({ csrfToken, ...testAccounts.operator });
  const second = await call("callback/demo", { method: "POST", body, headers });
  expect(second.status).toBe(302);
  return [...sent, ...second.headers.getSetCookie()];
}

it.each([
  { publicUrl: "https://gatehouse.example", prefix: "__Host-", isSecure: true },
  { publicUrl: "http://127.0.0.1:7460", prefix: "", isSecure: false },
])(
  "no script reads a cookie of $publicUrl, and over HTTPS no other host can set it",
  async ({ publicUrl, prefix, isSecure }) => {
    web = await startTestWeb({ config: { publicUrl } });
    const cookies = await signIn(publicUrl);
    expect(cookies.map((line) => line.split("=")[0])).toContain(`${prefix}gatehouse.session`);
    for (const line of cookies) {
      const [pair = "", ...attributes] = line.split("; ");
      expect(pair.startsWith(`${prefix}gatehouse.`), line).toBe(true);
      expect(attributes, line).toEqual(expect.arrayContaining(["HttpOnly", "Path=/", "SameSite=Lax"]));
      expect(attributes.includes("Secure"), line).toBe(isSecure);
      expect(
        attributes.some((attribute) => attribute.startsWith("Domain")),
        line,
      ).toBe(false);
    }
    const session = cookies.find((line) => line.startsWith(`${prefix}gatehouse.session=`)) ?? "";
    const [value = ""] = session.slice(session.indexOf("=") + 1).split(";");
    const content = await decode({ token: value, secret: web.runtime.secret });
    const { rows } = await web.runtime.pool.query<{ id: string }>("SELECT id FROM user_session");
    expect(content).toEqual({
      sid: rows[0]?.id,
      iat: expect.any(Number),
      exp: expect.any(Number),
      jti: expect.any(String),
    });
  },
);
