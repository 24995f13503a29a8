"""Agent cards as actions of Bazel: one for each agent, and one that joins them.

    load(":cardwright.bzl", "agent_card", "agent_cards")

    agent_card(
        name = "invoices",
        config = "cardwright.yaml",
        srcs = glob(["teams/*/agents.yaml", "platform/**", "teams/billing/skills/**"]),
    )

    agent_cards(
        name = "cards",
        config = "cardwright.yaml",
        srcs = glob(["teams/*/agents.yaml", "platform/**"]),
        agents = [":invoices", ":orders"],
    )

An action reads its inputs and nothing else, so that it runs remotely and its tree comes
from the cache until one of them changes. Name all files of the configuration in srcs, and
of the skills those of the agent.
"""

def _arguments(ctx):
    return ["--env", ctx.attr.env] if ctx.attr.env else []

def _agent_card_impl(ctx):
    out = ctx.actions.declare_directory(ctx.label.name + ".cards")
    inputs = [ctx.file.config] + [f for f in ctx.files.srcs if f != ctx.file.config]
    ctx.actions.run_shell(
        outputs = [out],
        inputs = inputs + [ctx.file._script],
        tools = [ctx.executable.cardwright],
        command = 'sh "$@"',
        arguments = [ctx.file._script.path, ctx.executable.cardwright.path, out.path, ctx.attr.agent or ctx.label.name] +
                    _arguments(ctx) + ["--"] + [f.path for f in inputs],
        mnemonic = "AgentCard",
        progress_message = "Generating the card of %{label}",
    )
    return [DefaultInfo(files = depset([out]))]

_COMMON = {
    "config": attr.label(allow_single_file = True, mandatory = True),
    "srcs": attr.label_list(allow_files = True),
    "env": attr.string(doc = "environment of the configuration"),
    "cardwright": attr.label(default = "//tools:cardwright", executable = True, allow_single_file = True, cfg = "exec"),
}

agent_card = rule(
    implementation = _agent_card_impl,
    attrs = dict(
        _COMMON,
        agent = attr.string(doc = "id of the agent, by default the name of the target"),
        _script = attr.label(default = ":agent.sh", allow_single_file = True),
    ),
)

def _agent_cards_impl(ctx):
    out = ctx.actions.declare_directory(ctx.label.name)
    inputs = [ctx.file.config] + [f for f in ctx.files.srcs if f != ctx.file.config]
    ctx.actions.run_shell(
        outputs = [out],
        inputs = inputs + ctx.files.agents + [ctx.file._script],
        tools = [ctx.executable.cardwright],
        command = 'sh "$@"',
        arguments = [ctx.file._script.path, ctx.executable.cardwright.path, out.path] + _arguments(ctx) +
                    ["--"] + [f.path for f in ctx.files.agents] + ["--"] + [f.path for f in inputs],
        mnemonic = "AgentCards",
        progress_message = "Joining the cards of %{label}",
    )
    return [DefaultInfo(files = depset([out]))]

agent_cards = rule(
    implementation = _agent_cards_impl,
    attrs = dict(
        _COMMON,
        agents = attr.label_list(mandatory = True),
        _script = attr.label(default = ":merge.sh", allow_single_file = True),
    ),
)
