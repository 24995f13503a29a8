// Starts an agent of @a2a-js/sdk 0.3.x per line of standard input, for the tests of
// contract. A line says in JSON what its card says and what it does. Where it listens, and
// the card, are printed as one line of JSON. All agents end with standard input.
import { createInterface } from "node:readline";
import express from "express";
import grpc from "@grpc/grpc-js";
import { DefaultRequestHandler, InMemoryTaskStore } from "a2a-js-sdk-0.3/server";
import { agentCardHandler, jsonRpcHandler, restHandler } from "a2a-js-sdk-0.3/server/express";
import { A2AService, grpcService } from "a2a-js-sdk-0.3/server/grpc";

const listening = (server, address) => new Promise((resolve) => server.once("listening", () => resolve(address())));

// admits reports whether a call comes in with the credentials that it has.
function admits({ does, token }, method, credentials) {
  const extended = /(extended(agent)?card|\/card|\/getagentcard)$/i.test(method);
  return (!does.Security && !(extended && does.Extended)) || (extended && does.OpenExtended) || credentials === token;
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
    const parts = [{ kind: "text", text: "again" }];
    bus.publish({ kind: "message", messageId: crypto.randomUUID(), contextId: context.contextId, role: "agent", parts });
    bus.finished();
  },
  async cancelTask() {},
};

async function start(settings) {
  const { binding, token, says, does } = settings;
  const app = express();
  const http = app.listen(0, "127.0.0.1");
  const web = await listening(http, () => `http://127.0.0.1:${http.address().port}`);
  const server = new grpc.Server({ interceptors: [interceptor(settings)] });
  const grpcAddress = await new Promise((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) =>
      error ? reject(error) : resolve(`127.0.0.1:${port}`),
    );
  });

  function card(p, more = []) {
    const base = binding === "GRPC" ? grpcAddress : `${web}/a2a`;
    const skill = (id) => ({ id, name: id, description: "Says again what was said to it.", tags: ["echo"] });
    return {
      name: p.Name,
      description: "Keeps what it promises, for the tests of cardwright.",
      version: "1.0.0",
      protocolVersion: "0.3.0",
      url: p.Path ? web + p.Path : base,
      preferredTransport: binding,
      capabilities: { streaming: p.Streaming, pushNotifications: p.Push },
      supportsAuthenticatedExtendedCard: p.Extended,
      defaultInputModes: ["text/plain"],
      defaultOutputModes: ["text/plain"],
      skills: ["echo", ...more].map(skill),
      ...(p.Security && {
        securitySchemes: { bearer: { type: "http", scheme: "Bearer" } },
        security: [{ bearer: [] }],
      }),
    };
  }

  const extended = card(says, ["deploy"]);
  const requestHandler = new DefaultRequestHandler(
    card(does), new InMemoryTaskStore(), executor, undefined, undefined, undefined, extended,
  );
  // The SDK returns the extended card to users who are authenticated, the public one to others.
  const user = (credentials) => ({ isAuthenticated: does.OpenExtended || credentials === token, userName: "tester" });
  const options = { requestHandler, userBuilder: async (req) => user(req.header("authorization")) };
  const handlers = [jsonRpcHandler(options), restHandler(options)];
  if (binding === "HTTP+JSON") {
    handlers.reverse();
  }
  app.use("/.well-known/agent-card.json", agentCardHandler({ agentCardProvider: async () => card(says) }));
  app.use("/portal", (_req, res) => res.redirect("/login"));
  app.use("/a2a", express.json(), guard(settings), handlers[0]);
  app.use("/other", express.json(), guard(settings), handlers[1]);
  server.addService(A2AService, grpcService({ requestHandler, userBuilder: async (call) => user(call.metadata.get("authorization")[0]) }));
  return { web, grpc: grpcAddress, card: card(says) };
}

console.info = console.error = console.warn = () => {}; // standard output has one line of each
for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(JSON.stringify(await start(JSON.parse(line))) + "\n");
}
process.exit(0);
