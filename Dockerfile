# syntax=docker/dockerfile:1
#
#   docker build -t robot-eval .
#   docker run --rm robot-eval run unified_smoke
#
# docs/deployment.md tells the rest.

FROM node:20-slim AS build
WORKDIR /build
# What changes seldom comes first: a change of the source does not install everything anew.
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json ./
COPY scripts/build.mjs scripts/bundle.mjs scripts/
COPY web web
COPY src src
RUN npm run build

FROM node:20-slim AS dependencies
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --no-audit --no-fund

FROM node:20-slim
ENV NODE_ENV=production
WORKDIR /opt/robot-eval
COPY --from=dependencies /build/node_modules node_modules
COPY --from=build /build/dist dist
COPY package.json LICENSE ./
COPY configs configs
COPY data data
COPY deploy/docker/healthcheck.mjs deploy/docker/
RUN ln -s /opt/robot-eval/dist/cli/main.js /usr/local/bin/robot-eval \
  && mkdir /work && chown node:node /work

# By number: Kubernetes cannot tell of a name whether it is root.
USER 1000:1000
WORKDIR /work
# Where ROBOT_EVAL_METRICS_PORT says that there is somebody to ask; a command without an endpoint is not asked.
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s \
  CMD ["node", "/opt/robot-eval/deploy/docker/healthcheck.mjs"]
# The command is process 1, for which signals that it does not handle do nothing; all that serve or run handle
# SIGTERM. For the others there is `docker run --init`.
ENTRYPOINT ["robot-eval"]
CMD ["--help"]
