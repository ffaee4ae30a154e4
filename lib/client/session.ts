import { ownUrl, withBasePath, withoutBasePath } from "#lib/client/base-path.ts";
import { request } from "#lib/client/request.ts";
import { safeCallbackPath } from "#lib/util/safe-callback-path.ts";

/** Returns where to go after signing in: one of our paths, without the base path, or the inbox. */
export function parseCallbackPath(value: string | null | undefined): string {
  const url = typeof window === "undefined" ? "http://gatehouse.invalid" : ownUrl();
  const path = safeCallbackPath(value, url);
  return path === "/" ? "/inbox" : path;
}

let leaving = false;

// A browser may show this page again as it was.
if (typeof window !== "undefined")
  window.addEventListener("pageshow", ({ persisted }) => {
    if (persisted) leaving = false;
  });

/** Goes to the sign-in page, once, and remembers the current page. */
export function goToSignIn(): void {
  const path = withoutBasePath(window.location.pathname);
  if (leaving || path.startsWith("/signin")) return;
  leaving = true;
  const here = path + window.location.search;
  window.location.assign(withBasePath(`/signin?callbackUrl=${encodeURIComponent(here)}&error=SessionRequired`));
}

let hasEnded = false;
const listeners = new Set<() => void>();

function setEnded(ended: boolean): void {
  hasEnded = ended;
  for (const listener of listeners) listener();
}

/** Whether an answer showed that the session has ended: a dialog then asks to sign in again. */
export const sessionEnd = {
  note(): void {
    if (!leaving) setEnded(true);
  },
  clear: () => setEnded(false),
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  snapshot: (): boolean => hasEnded,
  serverSnapshot: (): boolean => false,
};

/** Signs in with an account of Gatehouse itself; throws a GatehouseError with words for the page. */
export async function signInWithPassword(
  { method, ...fields }: { method: string; username: string; password: string },
  callbackPath: string,
): Promise<void> {
  await postAuth(`/api/auth/callback/${method}`, { ...fields, callbackUrl: callbackPath });
  window.location.assign(withBasePath(callbackPath));
}

/** Redirects the browser to the identity provider. */
export async function signInWithProvider(callbackPath: string): Promise<void> {
  const url = await postAuth("/api/auth/signin/oidc", { callbackUrl: callbackPath });
  window.location.assign(url);
}

/** Issuers of Gatehouse's own accounts begin with it; an identity provider's issuer is an https URL. */
const localIssuers = "gatehouse:";

/**
 * Makes the person sign in again, then comes back. The identity provider is told to ask again. A local account is
 * signed out first, because the sign-in page would otherwise send a signed-in person straight back.
 */
export async function signInAgain({ issuer, callbackPath }: { issuer: string; callbackPath: string }): Promise<void> {
  if (issuer.startsWith(localIssuers)) {
    await leaveFor(`/signin?callbackUrl=${encodeURIComponent(callbackPath)}`);
    return;
  }
  const url = await postAuth("/api/auth/signin/oidc", { callbackUrl: callbackPath, reauthenticate: "true" });
  window.location.assign(url);
}

export function signOut(): Promise<void> {
  return leaveFor("/signin");
}

/** Ends the session, then opens a page. */
async function leaveFor(path: string): Promise<void> {
  // Requests that are under way answer 401 from now on; the page must not report an expired session.
  leaving = true;
  try {
    await postAuth("/api/auth/signout", { callbackUrl: "/signin" });
  } catch (error) {
    leaving = false;
    throw error;
  }
  window.location.assign(withBasePath(path));
}

async function postAuth(path: string, fields: Record<string, string>): Promise<string> {
  const { csrfToken } = await request<{ csrfToken: string }>({ path: "/api/auth/csrf" });
  const body = new URLSearchParams({ ...fields, csrfToken, json: "true" });
  const { url } = await request<{ url: string }>({ method: "POST", path, body });
  return url;
}

/** Returns a text for next-auth's error codes. */
export function describeSignInError(code: string): string {
  switch (code) {
    case "CredentialsSignin":
      return "Name or password is wrong.";
    case "SessionRequired":
      return "You are signed out, or your session has ended. Sign in to continue where you were.";
    case "AccessDenied":
      return "Your identity provider signed you in, but you have no role in Gatehouse. Ask the person who runs Gatehouse for access.";
    case "UnusableIdentity":
      return "The identity provider signed you in, but its answer does not identify you. Ask the person who runs Gatehouse: its log names the missing claim.";
    case "GroupsLeftOut":
      return "You are in so many groups that the identity provider left them out of its answer, so Gatehouse cannot know your role. Ask the person who runs Gatehouse: its log says what to change at the provider.";
    case "OAuthSignin":
    case "OAuthCallback":
    case "Callback":
      return "The identity provider's answer could not be used. Try again; if it stays so, the log of Gatehouse names the reason.";
    case "RateLimited":
      return "Too many failed attempts. Wait a few minutes, then try again.";
    case "Unavailable":
      return "Sign-in is not possible now, because the database cannot be written. Try again in a moment.";
    case "Configuration":
      return "Sign-in is not set up correctly. The log of Gatehouse names the setting.";
    default:
      return "Signing in did not work. Try again.";
  }
}
