# The grader in a container, for macOS, Windows, and servers without bubblewrap; see the README.
ARG BASE=debian:bookworm-slim
FROM ${BASE}
RUN apt-get update \
 && apt-get install -y --no-install-recommends bubblewrap python3-venv \
 && rm -rf /var/lib/apt/lists/*
COPY . /dplab
RUN python3 -m venv /python && /python/bin/pip install --no-cache-dir -e '/dplab[teach]'
ENV PATH=/python/bin:$PATH
WORKDIR /work
ENTRYPOINT ["autograder"]
CMD ["demo", "--folder", "demo"]
