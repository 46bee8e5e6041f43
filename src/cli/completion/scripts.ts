/**
 * Scripts that shells read. Each asks `robot-eval completion candidates -- <words>` at the Tab key, so that new commands,
 * benchmarks and runs need no new script. Where there is no candidate, the shell completes file names.
 */
export const SCRIPTS = {
  bash: `# bash completion for robot-eval. Add to ~/.bashrc:
#   source <(robot-eval completion bash)
_robot_eval() {
  # Bash splits --option=value into three words.
  local word typed= open= words=() candidate quoted
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD}"; do
    typed=$word
    if [[ $word != = ]]; then words+=("$word"); fi
  done
  if [[ $typed == = ]]; then typed=; else unset "words[\${#words[@]}-1]"; fi
  if [[ $typed == [\\"\\']* ]]; then
    open=yes
    typed=\${typed:1}
  else
    typed=\${typed//\\\\/}
  fi
  COMPREPLY=()
  while IFS= read -r candidate; do
    printf -v quoted %q "$candidate"
    if [[ -z $open ]]; then
      candidate=$quoted
    elif [[ \${quoted//\\\\ / } != "$candidate" ]]; then
      continue
    fi
    COMPREPLY+=("$candidate")
  done < <("\${1/#\\~/$HOME}" completion candidates -- "\${words[@]}" "$typed" 2>/dev/null)
}
complete -o default -F _robot_eval robot-eval
`,
  zsh: `#compdef robot-eval
# zsh completion for robot-eval. Add to ~/.zshrc, after compinit:
#   source <(robot-eval completion zsh)
_robot_eval() {
  local -a candidates
  candidates=("\${(@f)$(\${~words[1]} completion candidates -- "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null)}")
  candidates=("\${(@)candidates:#}")
  if (( \${#candidates} )); then
    compadd -a candidates
  else
    _files
  fi
}
if [[ $funcstack[1] == _robot-eval ]]; then
  _robot_eval "$@"
else
  compdef _robot_eval robot-eval
fi
`,
  fish: `# fish completion for robot-eval. Write it once:
#   robot-eval completion fish > ~/.config/fish/completions/robot-eval.fish
function __robot_eval_candidates
    set -l words (commandline -opc)
    set -l typed (commandline -ct | string replace -r '^["\\']' '' | string replace -ra '\\\\\\\\(.)' '$1')
    set -l candidates (command $words[1] completion candidates -- $words[2..-1] "$typed" 2>/dev/null)
    if set -q candidates[1]
        printf '%s\\n' $candidates
    else
        __fish_complete_path "$typed"
    end
end
complete -c robot-eval -f -a '(__robot_eval_candidates)'
`,
} as const;

export type Shell = keyof typeof SCRIPTS;

export function isShell(name: string): name is Shell {
  return Object.hasOwn(SCRIPTS, name);
}
