/** The declared policy, if there is one, and the agent through which it was reached. */
export function AgentName({
  agent,
  policy,
}: {
  readonly agent: string;
  readonly policy?: string | undefined;
}) {
  if (policy === undefined) return <AgentSpec agent={agent} />;
  return (
    <span className="agent-name">
      <span className="agent-group">{policy}</span>{" "}
      <span className="muted small">
        <AgentSpec agent={agent} />
      </span>
    </span>
  );
}

/** `vln=expert,objectnav=expert` names the agent of every task: each agent once, with its tasks. */
function AgentSpec({ agent }: { readonly agent: string }) {
  const groups = groupsOf(agent);
  if (!groups) return <span className="agent-name">{breakable(agent)}</span>;
  return (
    <span className="agent-name">
      {groups.map(([name, tasks]) => (
        <span key={name} className="agent-group">
          {breakable(name)} <span className="muted small">{tasks.join(", ")}</span>
        </span>
      ))}
    </span>
  );
}

/** Null for a plain name. */
function groupsOf(agent: string): readonly [string, string[]][] | null {
  const groups = new Map<string, string[]>();
  for (const part of agent.split(",")) {
    const [, task, name] = /^([\w-]+)=(.+)$/.exec(part) ?? [];
    if (task === undefined || name === undefined) return null;
    groups.set(name, [...(groups.get(name) ?? []), task]);
  }
  return [...groups];
}

/** Allows line breaks after colons, for names such as `noisy:0.3:shortest-path`. */
function breakable(name: string): string {
  return name.replaceAll(":", ":\u200b");
}
