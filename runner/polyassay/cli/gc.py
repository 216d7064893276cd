"""`polyassay gc`: frees what has not been used for long, and what killed runs left behind."""

import time

import click

from polyassay.cli.common import home, json_option, output, print_json
from polyassay.environments.cache import cache_folder
from polyassay.environments.freeing import CacheEntry, free, unused
from polyassay.errors import PolyAssayError
from polyassay.sandbox.docker import connect, remove_old_images, remove_orphans
from polyassay.wording import counted, megabytes


@click.command()
@click.option(
    "--days",
    type=click.IntRange(0),
    default=30,
    show_default=True,
    help="Free what has not been used for so long.",
)
@click.option("--dry-run", is_flag=True, help="Only say what would be freed.")
@json_option
def gc(days: int, dry_run: bool, as_json: bool) -> int:
    """Frees what can be made again and has not been used for long.

    That is what all working folders share in your cache folder (Java images, plans of Java tasks,
    environments, suites), and what earlier versions kept in .polyassay/cache. Nothing that a
    running command uses is freed. Containers of killed runs and replaced images for guests are
    removed from Docker, too.

    \b
    polyassay gc
    polyassay gc --days 0 --dry-run
    """
    cache = cache_folder(home())
    before = time.time() - days * 86_400
    found = [entry for folder in {cache, home() / "cache"} for entry in unused(folder, before)]
    freed = [entry for entry in found if dry_run or free(entry)]
    containers, images = _from_docker(dry_run)
    if as_json:
        print_json(
            {
                "cache": str(cache),
                "dry_run": dry_run,
                "freed": by_kind(freed),
                "bytes": sum(entry.size for entry in freed),
                "in_use": len(found) - len(freed),
                "containers": containers,
                "images": images,
            }
        )
        return 0
    console, would = output(), "would be " * dry_run
    for kind, figures in by_kind(freed).items():
        console.print(f"{kind:<13} {figures['entries']:>6}  {megabytes(figures['bytes']):>10}")
    total = megabytes(sum(entry.size for entry in freed))
    console.print(f"{total} {would}freed in {cache}.", soft_wrap=True)
    if len(freed) < len(found):
        console.print(f"{counted(len(found) - len(freed), 'entry', 'entries')} in use, and kept.")
    if containers or images:
        left = f"{counted(containers, 'container')} and {counted(images, 'image')}"
        console.print(f"{left} {would}removed from Docker.")
    return 0


def by_kind(found: list[CacheEntry]) -> dict[str, dict[str, int]]:
    kinds: dict[str, dict[str, int]] = {}
    for entry in found:
        figures = kinds.setdefault(entry.kind, {"entries": 0, "bytes": 0})
        figures["entries"] += 1
        figures["bytes"] += entry.size
    return kinds


def _from_docker(dry_run: bool) -> tuple[int, int]:
    """How many containers and images were left there; none where no engine answers."""
    try:
        api = connect()
    except PolyAssayError:
        return 0, 0
    return remove_orphans(api, dry_run), remove_old_images(api, dry_run)
