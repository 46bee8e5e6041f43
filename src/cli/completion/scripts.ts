/**
 * Scripts that shells read. Each asks `robot-eval completion candidates -- <words>` at the Tab key, so that new commands,
 * benchmarks and runs need no new script. Where there is no candidate, the shell completes file names.
 */
export const SCRIPTS = {
  bash: `# bash completion for robot-eval. Add to ~/.bashrc:
#   source <(robot-eval completion bash)
_robot_eval() {
  local IFS=$'\\n'
  COMPREPLY=($("$1" completion candidates -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _robot_eval robot-eval
`,
  zsh: `#compdef robot-eval
# zsh completion for robot-eval. Add to ~/.zshrc, after compinit:
#   source <(robot-eval completion zsh)
_robot_eval() {
  local -a candidates
  candidates=("\${(@f)$("\${words[1]}" completion candidates -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  candidates=("\${(@)candidates:#}")
  if (( \${#candidates} )); then
    compadd -a candidates
  else
    _files
  fi
}
compdef _robot_eval robot-eval
`,
  fish: `# fish completion for robot-eval. Write it once:
#   robot-eval completion fish > ~/.config/fish/completions/robot-eval.fish
function __robot_eval_candidates
    set -l words (commandline -opc)
    command $words[1] completion candidates -- $words[2..-1] (commandline -ct) 2>/dev/null
end
complete -c robot-eval -a '(__robot_eval_candidates)'
`,
} as const;

export type Shell = keyof typeof SCRIPTS;

export function isShell(name: string): name is Shell {
  return Object.hasOwn(SCRIPTS, name);
}
