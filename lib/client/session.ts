import { ApiError } from "#lib/client/api-error.ts";
import { request } from "#lib/client/request.ts";

/** Where to go back to after signing in; only paths of this origin. */
export function parseCallbackPath(value: string | null | undefined): string {
  if (!value) return "/inbox";
  try {
    const base = "http://gatehouse.invalid";
    const url = new URL(value, base);
    const isOwn = url.origin === base || (typeof window !== "undefined" && url.origin === window.location.origin);
    const path = url.pathname + url.search;
    return isOwn && path.startsWith("/") && !path.startsWith("//") && !path.startsWith("/sign-in") ? path : "/inbox";
  } catch {
    return "/inbox";
  }
}

let leaving = false;

/** Goes to the sign-in page, once, remembering where the person was. */
export function goToSignIn(): void {
  if (leaving || window.location.pathname.startsWith("/sign-in")) return;
  leaving = true;
  const here = window.location.pathname + window.location.search;
  window.location.assign(`/sign-in?callbackUrl=${encodeURIComponent(here)}&error=SessionRequired`);
}

/** Signs in with a name and password; throws an ApiError with words for the page. */
export async function signInWithPassword(
  providerId: string,
  fields: { username: string; password: string },
  callbackPath: string,
) {
  const url = await postAuth(`/api/auth/callback/${encodeURIComponent(providerId)}`, {
    ...fields,
    callbackUrl: callbackPath,
  });
  const error = url.searchParams.get("error");
  if (error !== null) throw new ApiError({ status: 401, code: "unauthenticated", detail: describeSignInError(error) });
  window.location.assign(callbackPath);
}

/** Hands the browser over to the identity provider. */
export async function signInWithProvider(providerId: string, callbackPath: string): Promise<void> {
  const url = await postAuth(`/api/auth/signin/${encodeURIComponent(providerId)}`, { callbackUrl: callbackPath });
  window.location.assign(url);
}

export async function signOut(): Promise<void> {
  await postAuth("/api/auth/signout", { callbackUrl: "/sign-in" });
  window.location.assign("/sign-in");
}

async function postAuth(path: string, fields: Record<string, string>): Promise<URL> {
  const { csrfToken } = await request<{ csrfToken: string }>({ path: "/api/auth/csrf" });
  let response: Response;
  try {
    response = await fetch(path, {
      method: "POST",
      credentials: "same-origin",
      headers: { "content-type": "application/x-www-form-urlencoded", accept: "application/json" },
      body: new URLSearchParams({ ...fields, csrfToken, json: "true" }),
    });
  } catch {
    throw new ApiError({
      status: 0,
      code: "network",
      detail: "Gatehouse did not answer. Check the connection, then try again.",
    });
  }
  const answer: unknown = await response.json().catch(() => undefined);
  const url = typeof answer === "object" && answer !== null && "url" in answer ? answer.url : undefined;
  if (typeof url === "string") return new URL(url, window.location.origin);
  const status = response.status;
  if (status === 401)
    throw new ApiError({ status, code: "unauthenticated", detail: describeSignInError("CredentialsSignin") });
  if (status === 429) {
    throw new ApiError({ status, code: "rate_limited", detail: "Too many attempts. Wait a minute, then try again." });
  }
  throw new ApiError({ status, code: "unreadable", detail: describeSignInError("Default") });
}

/** The words for next-auth's error codes. */
export function describeSignInError(code: string): string {
  switch (code) {
    case "CredentialsSignin":
      return "Name or password is wrong.";
    case "SessionRequired":
      return "You are signed out, or your session has ended. Sign in to go on where you were.";
    case "AccessDenied":
      return "The identity provider knows you, but no role in Gatehouse fits. Ask whoever runs Gatehouse for access.";
    case "OAuthSignin":
    case "OAuthCallback":
    case "Callback":
      return "The identity provider's answer could not be used. Try again; if it stays so, the log of Gatehouse names the reason.";
    case "Configuration":
      return "Sign-in is not set up correctly. The log of Gatehouse names the setting.";
    default:
      return "Signing in did not work. Try again.";
  }
}
