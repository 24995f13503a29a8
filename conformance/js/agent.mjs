// Starts an agent of @a2a-js/sdk per line of standard input, for the tests of contract and
// capture. A line says in JSON which card it serves and which one it lives by; @WEB@ and
// @GRPC@ in them stand for where it listens. Both are printed as one line of JSON. All
// agents end with standard input.
import { createInterface } from "node:readline";
import express from "express";
import grpc from "@grpc/grpc-js";
import { AgentCard } from "@a2a-js/sdk";
import { AgentEvent, DefaultRequestHandler, InMemoryTaskStore } from "@a2a-js/sdk/server";
import { agentCardHandler, jsonRpcHandler, restHandler, UserBuilder } from "@a2a-js/sdk/server/express";
import { LegacyA2AService, legacyGrpcService } from "@a2a-js/sdk/compat/v0_3/server/grpc";
import { A2AService, grpcService, UserBuilder as GRPCUserBuilder } from "@a2a-js/sdk/server/grpc";

// admits tells whether a call comes in with the credentials that it has.
function admits(settings, method, credentials) {
  const extended = /(extended(agent)?card|\/card|\/getagentcard)$/i.test(method);
  if ((!settings.security && !(extended && settings.extended)) || (extended && settings.openExtended)) {
    return true;
  }
  return credentials === settings.token;
}

const guard = (settings) => (req, res, next) => {
  if (admits(settings, req.body?.method ?? req.path, req.header("authorization"))) {
    next();
    return;
  }
  res.status(401).set("WWW-Authenticate", "Bearer").json({ error: "no credentials" });
};

const interceptor = (settings) => (method, call) =>
  new grpc.ServerInterceptingCall(call, {
    start(next) {
      next({
        onReceiveMetadata(metadata, forward) {
          if (admits(settings, method.path, metadata.get("authorization")[0])) {
            forward(metadata);
          } else {
            call.sendStatus({ code: grpc.status.UNAUTHENTICATED, details: "no credentials" });
          }
        },
      });
    },
  });

const executor = {
  async execute(context, bus) {
    bus.publish(
      AgentEvent.message({
        messageId: crypto.randomUUID(),
        contextId: context.contextId,
        taskId: "",
        role: 2,
        parts: [{ content: { $case: "text", value: "again" }, mediaType: "text/plain", filename: "", metadata: {} }],
        metadata: {},
        extensions: [],
        referenceTaskIds: [],
      }),
    );
    bus.finished();
  },
  async cancelTask() {},
};

function listen(app) {
  return new Promise((resolve) => {
    const server = app.listen(0, "127.0.0.1", () => resolve(`127.0.0.1:${server.address().port}`));
  });
}

function listenGRPC(server) {
  return new Promise((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) =>
      error ? reject(error) : resolve(`127.0.0.1:${port}`),
    );
  });
}

async function start(settings) {
  const app = express();
  const web = await listen(app);
  const server = new grpc.Server({ interceptors: [interceptor(settings)] });
  const grpcAddress = await listenGRPC(server);
  const placed = (card) => JSON.parse(JSON.stringify(card).replaceAll("@WEB@", `http://${web}`).replaceAll("@GRPC@", grpcAddress));

  const requestHandler = new DefaultRequestHandler(
    AgentCard.fromJSON(placed(settings.does)),
    new InMemoryTaskStore(),
    executor,
    undefined,
    undefined,
    undefined,
    settings.extendedCard ? async () => AgentCard.fromJSON(placed(settings.extendedCard)) : undefined,
  );
  const legacyCompat = settings.legacy ? { enabled: true } : undefined; // it speaks 0.3
  const options = { requestHandler, userBuilder: UserBuilder.noAuthentication, legacyCompat };
  const handlers = [jsonRpcHandler(options), restHandler(options)];
  if (settings.binding === "HTTP+JSON") {
    handlers.reverse();
  }
  app.use("/.well-known/agent-card.json", agentCardHandler({ agentCardProvider: async () => placed(settings.served) }));
  app.get("/portal/*splat", (_req, res) => res.redirect("/login"));
  app.post("/portal/*splat", (_req, res) => res.redirect("/login"));
  const json = express.json({ type: ["application/json", "application/a2a+json"] });
  app.use("/a2a", json, guard(settings), handlers[0]);
  app.use("/other", json, guard(settings), handlers[1]);
  server.addService(A2AService, grpcService({ requestHandler, userBuilder: GRPCUserBuilder.noAuthentication }));

  if (settings.legacy) {
    server.addService(LegacyA2AService, legacyGrpcService({ requestHandler, userBuilder: GRPCUserBuilder.noAuthentication }));
  }
  return { web: `http://${web}`, grpc: grpcAddress };
}

console.info = console.error = console.warn = () => {}; // standard output has one line of each
for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(JSON.stringify(await start(JSON.parse(line))) + "\n");
}
process.exit(0);
