"""Reads a page of metrics from stdin with Prometheus' own Python library; prints it as JSON."""

import io
import json
import sys

from prometheus_client.parser import text_fd_to_metric_families

text = sys.stdin.buffer.read().decode()
print(
    json.dumps(
        [
            {
                "name": family.name,
                "help": family.documentation,
                "type": family.type,
                "samples": [[s.name, s.labels, s.value] for s in family.samples],
            }
            for family in text_fd_to_metric_families(io.StringIO(text, newline="\n"))
        ]
    )
)
