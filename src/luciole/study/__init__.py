"""Studies: from a plan to runs, statistics, tables, figures and a report. One file a step."""
