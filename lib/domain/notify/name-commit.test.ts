import { describe, expect, it } from "vitest";
import type { ReleaseState } from "#lib/domain/delivery/derive-releases.ts";
import { nameCommit, nameEnvironment, statusOfRelease } from "./name-commit.ts";
import { targetOf } from "./testing/sample-event.ts";

const repositories = ["shop/*"];
const github = { provider: "github", apiUrl: "https://api.github.com", repositories } as const;
const enterprise = { provider: "github", apiUrl: "https://git.example.com/api/v3", repositories } as const;
const gitlab = { provider: "gitlab", apiUrl: "https://gitlab.example.com:8443", repositories } as const;
const commit = "0123456789abcdef0123456789abcdef01234567";

describe("nameCommit", () => {
  it.each<[string, Parameters<typeof nameCommit>[1], string]>([
    ["shop/web", github, "shop/web"],
    ["https://github.com/shop/web", github, "shop/web"],
    ["https://github.com/shop/web.git", github, "shop/web"],
    ["https://GitHub.com/shop/web/", github, "shop/web"],
    ["git@github.com:shop/web.git", github, "shop/web"],
    ["https://git.example.com/shop/web", enterprise, "shop/web"],
    ["https://gitlab.example.com/shop/front/web", gitlab, "shop/front/web"],
    ["shop/front/web", gitlab, "shop/front/web"],
  ])("reads %s", (repository, host, path) => {
    expect(nameCommit({ repository, commit: ` ${commit.toUpperCase()} ` }, host)).toEqual({ repository: path, commit });
  });

  it.each<[string, string | null, string | null]>([
    ["no repository", null, commit],
    ["no commit", "shop/web", null],
    ["a short commit", "shop/web", commit.slice(0, 12)],
    ["a branch", "shop/web", "main"],
    ["another code host", "https://gitlab.com/shop/web", commit],
    ["a host that only begins like it", "https://github.com.evil.example/shop/web", commit],
    ["a group of a group", "shop/front/web", commit],
    ["a path that leads up", "shop/..", commit],
    ["another path of the API", "shop/web/../../user", commit],
    ["a query", "shop/web?x=1", commit],
    ["a repository that is not listed", "infra/secrets", commit],
    ["the address of one that is not listed", "https://github.com/infra/secrets", commit],
    ["an owner that only begins like a listed one", "shop-evil/web", commit],
    ["an address that cannot be read", "https://", commit],
    ["a very long text", `shop/${"w".repeat(600)}`, commit],
  ])("reads nothing from %s", (_, repository, hash) => {
    expect(nameCommit({ repository, commit: hash }, github)).toBeUndefined();
  });
});

it.each<[ReleaseState, string]>([
  ["progressing", "in_progress"],
  ["paused", "in_progress"],
  ["promoted", "success"],
  ["aborted", "failure"],
  ["superseded", "inactive"],
  ["unknown", "inactive"],
])("a release that is %s is a deployment that is %s", (state, status) => {
  expect(statusOfRelease(state)).toBe(status);
});

it("names an environment by its template, in at most 255 characters", () => {
  expect(nameEnvironment("{cluster}/{namespace}/{name}", targetOf("web"))).toBe("prod/shop/web");
  expect(nameEnvironment("production", targetOf("web"))).toBe("production");
  expect(nameEnvironment("{kind} {name}", targetOf("x".repeat(300)))).toHaveLength(255);
});
