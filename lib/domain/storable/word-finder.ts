export type Place = { start: number; end: number };

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
