"""`polyassay doctor`: what works here, proved by running it."""

from dataclasses import asdict

import click

from polyassay.cli.common import home, json_option, output, print_json
from polyassay.diagnosis import DoctorFinding, diagnose


@click.command()
@json_option
def doctor(as_json: bool) -> int:
    """Says what works here, and sends a good and a bad candidate through each harness.

    \b
    polyassay doctor
    """
    findings: list[DoctorFinding] = []
    console = output()
    for finding in diagnose(home()):
        findings.append(finding)
        if not as_json:
            mark = "✓" if finding.works else "✗" if finding.needed else "–"
            console.print(f" {mark} {finding.what:<12} {finding.detail}", soft_wrap=True)
    if as_json:
        print_json([asdict(finding) for finding in findings])
    return int(any(finding.needed and not finding.works for finding in findings))
