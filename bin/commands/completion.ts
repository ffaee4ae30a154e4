import { type CommandName, commandHelp } from "../command-help.ts";
import { UsageError } from "../command-line.ts";
import { actionWords } from "../remote/action-words.ts";

type Words = { command: string; words: readonly string[] };

/** Runs `gatehouse completion bash|zsh|fish`: a script that completes commands, subcommands and flags. */
export async function runCompletion([shell, ...rest]: string[]): Promise<number> {
  const script = shell === undefined ? undefined : scripts[shell];
  if (script === undefined || rest.length > 0) throw new UsageError("usage: gatehouse completion bash|zsh|fish");
  process.stdout.write(script(allWords()));
  return 0;
}

/** Lists the words that may follow each command, read from its help: subcommands and flags. */
function allWords(): Words[] {
  const names = Object.keys(commandHelp) as CommandName[];
  const flagsOfAct = wordsOf("act");
  return [
    ...names.map((command) => ({
      command,
      words: command === "act" ? [...actionWords, ...flagsOfAct] : wordsOf(command),
    })),
    ...actionWords.map((command) => ({ command, words: flagsOfAct })),
  ];
}

function wordsOf(command: CommandName): string[] {
  const usage: readonly string[] = commandHelp[command].usage;
  const text = usage.join("\n");
  const flags = text.match(/--[a-z-]+/g) ?? [];
  const subcommands = usage.flatMap((line) => {
    const second = line.split(" ")[1] ?? "";
    return /^[a-z|-]+$/.test(second) && !second.startsWith("-") ? second.split("|") : [];
  });
  return [...new Set([...subcommands, ...flags])];
}

const scripts: Readonly<Record<string, (all: readonly Words[]) => string>> = {
  bash: (all) => `# gatehouse completion bash > /etc/bash_completion.d/gatehouse
_gatehouse() {
  local word="\${COMP_WORDS[COMP_CWORD]}" words
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="${all.map(({ command }) => command).join(" ")}"
  else
    case "\${COMP_WORDS[1]}" in
${all.map(({ command, words }) => `      ${command}) words="${words.join(" ")}" ;;`).join("\n")}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -F _gatehouse gatehouse
`,
  zsh: (all) => `#compdef gatehouse
# gatehouse completion zsh > "\${fpath[1]}/_gatehouse"
_gatehouse() {
  if (( CURRENT == 2 )); then
    compadd -- ${all.map(({ command }) => command).join(" ")}
    return
  fi
  case "$words[2]" in
${all.map(({ command, words }) => `    ${command}) compadd -- ${words.join(" ")} ;;`).join("\n")}
  esac
}
_gatehouse "$@"
`,
  fish: (all) => `# gatehouse completion fish > ~/.config/fish/completions/gatehouse.fish
complete -c gatehouse -f
complete -c gatehouse -n __fish_use_subcommand -a "${all.map(({ command }) => command).join(" ")}"
${all
  .filter(({ words }) => words.length > 0)
  .map(
    ({ command, words }) => `complete -c gatehouse -n "__fish_seen_subcommand_from ${command}" -a "${words.join(" ")}"`,
  )
  .join("\n")}
`,
};
