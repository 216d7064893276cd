"""The measures: what verdicts become, by sample, unit and tool."""
