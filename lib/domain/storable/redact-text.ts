export const redacted = "[redacted]";

const secretWords =
  "access[_-]?token|refresh[_-]?token|id[_-]?token|auth[_-]?token|token|api[_-]?key|app[_-]?key|application[_-]?key|" +
  "access[_-]?key|client[_-]?secret|secret|password|passwd|pwd|pass|signature|sig|credential|key|auth|jwt";
/** Words that a value follows only if it is a secret; `key` and `auth` are left out because prose uses them too. */
const namedWords =
  "authorization|cookie|access[_-]?token|refresh[_-]?token|id[_-]?token|auth[_-]?token|token|api[_-]?key|app[_-]?key|" +
  "application[_-]?key|access[_-]?key(?:[_-]?id)?|client[_-]?secret|secret|password|passwd|passphrase|pwd|private[_-]?key";

// Each rule reads a position only a fixed number of times: texts are long, and some are hostile.

/** Decides in one test whether any of the rules below can apply; for most texts none does. */
const candidate =
  /[?&@]|bearer|basic|token|secret|passw|passphrase|pwd|key|cookie|authorization|eyJ|A[KS]IA|gh[a-z]_|github_pat_|glpat-|xox|-----BEGIN|hooks\./i;

const credentials = /\b(Bearer|Basic|Token|ApiKey|Digest)(\s+|%20)(?!\{\{)([A-Za-z0-9._~+/=:-]{4,})/gi;
const userInfo = /\b([a-z][a-z0-9+.-]{0,20}:\/\/)([^\s/?#"'<>]+)@/gi;
const queryParameter = new RegExp(`([?&](?:[\\w.-]{0,60}[-_.])?(?:${secretWords})=)(?!\\{\\{)[^&\\s"'#<>]+`, "gi");
/** `--password=x`, `DB_TOKEN=x`, `"apiKey": "x"`, `X-Api-Key: x`, and Go's `map[Authorization:[x]]`. */
const named = new RegExp(
  `((?:^|[^A-Za-z0-9])(?:[A-Za-z0-9]{1,40}[-_.]){0,5}(?:${namedWords})["']?\\s?)([=:])(?!\\s?["']?\\[redacted\\])(\\s?\\[?\\s?["']?)(?!\\{\\{|\\[)([^\\s"',;&<>\\]){}]{3,})`,
  "gi",
);
/** Takes the whole line, because any scheme may follow. */
const headerLine =
  /\b((?:proxy-)?authorization|(?:set-)?cookie)(["']?\s?[=:]\s?\[?["']?)(?!\{\{|\[redacted)([^"'\n\]}]+)/gi;
const jwt = /(?<![\w-])eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?/g;
const issued =
  /\b(?:A[KS]IA[0-9A-Z]{16}|gh[oprsu]_[A-Za-z0-9]{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[a-z]-[\w-]{10,})/g;
const privateKey = /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g;
/** Reads a host from its beginning, and only if a path follows. */
const hook = /(?<![\w.-])(?=[\w.-]+\/[^\s"'<>])([\w.-]*?\bhooks\.[\w.-]+\/)[^\s"'<>]+/gi;

/**
 * Removes credentials from free text: `Bearer x` and `Basic x`, user and password in URLs, query parameters and values
 * with a secret name, and tokens with a known format. Placeholders such as `{{args.token}}` stay. Text that is already
 * redacted stays as it is.
 */
export function redactText(text: string): string {
  if (!candidate.test(text)) return text;
  return text
    .replace(privateKey, redacted)
    .replace(userInfo, (whole, scheme: string, user: string) => (isPlaceholder(user) ? whole : `${scheme}${redacted}@`))
    .replace(credentials, (whole, scheme: string, gap: string, value: string) =>
      isCredential(scheme, value) ? `${scheme}${gap}${redacted}` : whole,
    )
    .replace(headerLine, (whole, name: string, gap: string, value: string) =>
      isHeaderValue(value) ? `${name}${gap}${redacted}` : whole,
    )
    .replace(queryParameter, `$1${redacted}`)
    .replace(named, (whole, name: string, sign: string, gap: string, value: string) =>
      isNamedValue({ sign, gap, value }) ? `${name}${sign}${gap}${redacted}` : whole,
    )
    .replace(jwt, redacted)
    .replace(issued, redacted)
    .replace(hook, `$1${redacted}`);
}

/**
 * Removes known secrets. Of secrets that overlap, nothing stays. `redactWithSecrets` lists them, with their URL-encoded
 * forms.
 */
export function hideSecrets(text: string, secrets: readonly string[], sign = redacted): string {
  if (text === "" || secrets.length === 0) return text;
  let shown = "";
  let end = 0;
  for (const place of finderOf(secrets)(text)) {
    shown += text.slice(end, place.start) + sign;
    end = place.end;
  }
  return shown + text.slice(end);
}

type Finder = (text: string) => Place[];
/** An object has many texts, and one list of secrets. */
const finders = new WeakMap<readonly string[], Finder>();

function finderOf(secrets: readonly string[]): Finder {
  const known = finders.get(secrets);
  if (known !== undefined) return known;
  const finder = createWordFinder(secrets);
  finders.set(secrets, finder);
  return finder;
}

function isPlaceholder(text: string): boolean {
  return text === redacted || /^\{\{[^{}]*\}\}(:\{\{[^{}]*\}\})?$/.test(text);
}

/**
 * Returns whether a scheme is followed by a credential: "basic" and "token" are also ordinary words, so the value must
 * look like one.
 */
function isCredential(scheme: string, value: string): boolean {
  return scheme.toLowerCase() === "bearer" || /[0-9=]|.[A-Z]/.test(value);
}

/** Returns whether the value needs redacting. A value with a known scheme is already redacted, or a placeholder. */
function isHeaderValue(value: string): boolean {
  return !/^(bearer|basic|token|apikey|digest)\s/i.test(value) && (/[0-9=:]/.test(value) || value.length >= 16);
}

/**
 * Returns whether a named value is a secret. Prose may follow a colon ("unexpected token: name"), but hardly an equals
 * sign or a quote.
 */
function isNamedValue({ sign, gap, value }: { sign: string; gap: string; value: string }): boolean {
  if (/^(true|false|null|nil|none|undefined|bearer|basic|token|apikey|digest)$/i.test(value)) return false;
  return sign === "=" || /["'[]/.test(gap) || (/[0-9]/.test(value) && /[a-z]/i.test(value)) || value.length >= 16;
}

/** Far more than is shown of a message. */
const longestBeginning = 10_000;

/**
 * Redacts the beginning of a text of which little is shown. Half a secret may have no known form, so a longer text ends
 * before the word at the cut.
 */
export function redactBeginning(text: string): string {
  if (text.length <= longestBeginning) return redactText(text);
  return redactText(text.slice(0, text.lastIndexOf(" ", longestBeginning - 1) + 1));
}

type Place = { start: number; end: number };

/**
 * Returns a function that finds words in a text, in one pass (Aho and Corasick): many words take no longer than one,
 * even if they share parts. It returns the places that words cover, in order; overlapping words share a place.
 * Preparation takes as long as sorting the words. No hash is used: the texts are foreign and could cause collisions.
 */
export function createWordFinder(words: readonly string[]): (text: string) => Place[] {
  // A state is a beginning of words, and these are neighbours. Shorter beginnings come first, and those that continue the
  // same one are neighbours, ordered by their last character.
  const sorted = words.filter((word) => word !== "").toSorted();
  const size = sorted.reduce((sum, word) => sum + word.length, 1);
  const last = new Uint16Array(size);
  const firstWord = new Int32Array(size);
  const endWord = new Int32Array(size);
  const firstNext = new Int32Array(size);
  const endNext = new Int32Array(size);
  /** The longest other beginning that a state ends with. */
  const fallback = new Int32Array(size);
  /** The length of the longest word that a state ends with. */
  const longest = new Int32Array(size);
  endWord[0] = sorted.length;

  function step(from: number, code: number): number {
    for (let state = from; ; state = at(fallback, state)) {
      let low = at(firstNext, state);
      let high = at(endNext, state);
      while (low < high) {
        const middle = (low + high) >> 1;
        if (at(last, middle) < code) low = middle + 1;
        else high = middle;
      }
      if (low < at(endNext, state) && last[low] === code) return low;
      if (state === 0) return 0;
    }
  }

  let states = 1;
  for (let length = 0, state = 0; state < states; length++) {
    // All states of one length.
    for (const end = states; state < end; state++) {
      firstNext[state] = states;
      endNext[state] = states;
      for (let word = at(firstWord, state); word < at(endWord, state); word++) {
        const text = sorted[word] ?? "";
        if (text.length === length) continue;
        const code = text.charCodeAt(length);
        if (states === at(firstNext, state) || last[states - 1] !== code) {
          last[states] = code;
          firstWord[states] = word;
          fallback[states] = state === 0 ? 0 : step(at(fallback, state), code);
          longest[states] = text.length === length + 1 ? text.length : at(longest, at(fallback, states));
          states++;
        }
        endWord[states - 1] = word + 1;
        endNext[state] = states;
      }
    }
  }

  return (text) => {
    const places: Place[] = [];
    let state = 0;
    for (let index = 0; index < text.length; index++) {
      state = step(state, text.charCodeAt(index));
      const length = at(longest, state);
      if (length === 0) continue;
      let start = index + 1 - length;
      for (let before = places.at(-1); before !== undefined && before.end > start; before = places.at(-1)) {
        start = Math.min(start, before.start);
        places.pop();
      }
      places.push({ start, end: index + 1 });
    }
    return places;
  };
}

function at(array: Int32Array | Uint16Array, index: number): number {
  return array[index] ?? 0;
}

const hidden = "(address not shown)";

/**
 * URLs, IP addresses with or without a port, and names that a DNS lookup or a port identifies as hosts. Each begins where
 * no character of its kind is in front: texts are long, and some are hostile.
 */
const addresses = [
  /(?<![a-z0-9+.-])[a-z0-9+.-]+:\/\/[^\s"'<>)\]]+/gi,
  /\[[0-9a-f.%]*:[0-9a-f:.%]*\](?::\d{1,5})?/gi,
  /\b\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?\b/g,
  /(?<![\w:])(?:(?:[0-9a-f]{1,4}:)+:|::[0-9a-f])(?::?[0-9a-f])*(?![\w:])|(?<![\w:])(?:[0-9a-f]{1,4}:){4,8}\d{1,5}(?![\w:])/gi,
  /(?<=\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|EHOSTUNREACH) )(?!\(address)[^\s,;()]+/g,
  /\blocalhost:\d{2,5}\b|(?<![a-z0-9.-])(?=[0-9.-]*[a-z])[a-z0-9-]*\.[a-z0-9.-]+:\d{2,5}\b/gi,
];

/** Removes server addresses from a text: any user may read the error, but not where a cluster listens. */
export function hideAddresses(text: string): string {
  return addresses.reduce((rest, pattern) => rest.replace(pattern, hidden), text);
}
