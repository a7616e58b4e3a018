"""How to cite the book, as `CITATION.cff` says it."""

import datetime

import yaml

from press.citation import Citation

TOLD = {
    "title": "Rain: a book",
    "version": 1.1,
    "date-released": datetime.date(2027, 3, 1),
    "authors": [
        {"given-names": "Ada", "family-names": "Sum"},
        {"name": "The rain group"},
    ],
}


def read(folder, **more):
    path = folder / "CITATION.cff"
    path.write_text(yaml.safe_dump(TOLD | more), "utf-8")
    return Citation.read(path)


def test_people_and_groups_are_cited_by_their_names(tmp_path):
    cited = read(tmp_path)
    assert cited.sentence == "Ada Sum, The rain group: Rain: a book. Version 1.1, 2027."
    assert cited.day == "March 1, 2027"


def test_bibtex_takes_names_as_they_are_and_an_address_if_there_is_one(tmp_path):
    entry = read(tmp_path).bibtex()
    assert "author = {{Ada Sum} and {The rain group}}," in entry
    assert "url" not in entry
    assert "url = {https://example.org/}," in read(tmp_path).bibtex("https://example.org/")
    assert entry.count("{") == entry.count("}")


def test_reports_go_to_the_contacts_address(tmp_path):
    assert read(tmp_path).email == ""
    assert read(tmp_path, contact=[{"name": "A"}, {"email": "a@b.org"}]).email == "a@b.org"
