/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What WEKA computes, with all digits: its commands print four or five. For bench/weka_compare.py.
 *
 *     java WekaValues DATA.arff select                  indices from 1 that CfsSubsetEval + BestFirst keep
 *     java WekaValues DATA.arff score CLASS OPTION…     the value of each attribute
 *     java WekaValues DATA.arff cuts                    the cut points of MDL discretisation, a line an attribute
 *     java WekaValues DATA.arff predict CLASS OPTION…   10-fold cross-validation, seed 1: instance, probabilities
 *                                                   (none if WEKA fails on it)
 *     java WekaValues DATA.arff neighbours K            the same with the K nearest by WEKA's EuclideanDistance, whose
 *                                                       ranges are those of the training part (IBk widens them as it goes)
 *     java WekaValues DATA.arff show CLASS OPTION…      what it learns from all instances, as it prints itself
 */
import java.io.BufferedReader;
import java.io.FileReader;
import java.util.Arrays;
import java.util.Random;
import weka.attributeSelection.ASEvaluation;
import weka.attributeSelection.AttributeEvaluator;
import weka.attributeSelection.AttributeSelection;
import weka.attributeSelection.BestFirst;
import weka.attributeSelection.CfsSubsetEval;
import weka.classifiers.Classifier;
import weka.core.Instance;
import weka.core.Instances;
import weka.core.neighboursearch.LinearNNSearch;
import weka.filters.Filter;
import weka.filters.supervised.attribute.Discretize;

public class WekaValues {
    static void select(Instances data, String[] options) throws Exception {
        CfsSubsetEval evaluator = new CfsSubsetEval();
        evaluator.setOptions(options);
        AttributeSelection selection = new AttributeSelection();
        selection.setEvaluator(evaluator);
        selection.setSearch(new BestFirst());
        selection.SelectAttributes(data);
        for (int index : selection.selectedAttributes())
            if (index != data.classIndex())
                System.out.println(index + 1);
    }

    static void score(Instances data, String name, String[] options) throws Exception {
        ASEvaluation evaluator = ASEvaluation.forName(name, options);
        evaluator.buildEvaluator(data);
        for (int i = 0; i < data.numAttributes(); i++)
            if (i != data.classIndex())
                System.out.println(((AttributeEvaluator) evaluator).evaluateAttribute(i));
    }

    /* As the evaluators of attributes do it. */
    static void cuts(Instances data) throws Exception {
        Discretize filter = new Discretize();
        filter.setUseBetterEncoding(true);
        filter.setInputFormat(data);
        Filter.useFilter(data, filter);
        for (int i = 0; i < data.numAttributes(); i++) {
            if (i == data.classIndex())
                continue;
            StringBuilder line = new StringBuilder();
            double[] points = filter.getCutPoints(i);
            for (int j = 0; points != null && j < points.length; j++)
                line.append(points[j]).append(' ');
            System.out.println(line);
        }
    }

    /* Numbers of the instances, taken through the same shuffling: the class is all it looks at. */
    static Instances numbers(Instances data) throws Exception {
        Instances numbers = new Instances(data);
        numbers.insertAttributeAt(new weka.core.Attribute("number"), 0);
        for (int i = 0; i < numbers.numInstances(); i++)
            numbers.instance(i).setValue(0, i);
        return numbers;
    }

    static void shuffle(Instances data, Random random) {
        data.randomize(random);
        data.stratify(10);
    }

    /* The classes of the k nearest and of all as near as the k-th, as IBk counts them. */
    static double[] neighbours(Instances train, Instance x, int k) throws Exception {
        LinearNNSearch search = new LinearNNSearch(train);
        Instances near = search.kNearestNeighbours(x, k);
        double[] p = new double[train.numClasses()];
        double small = 1.0 / train.numInstances(), total = p.length * small;
        Arrays.fill(p, small);
        for (int i = 0; i < near.numInstances(); i++, total++)
            p[(int) near.instance(i).classValue()]++;
        for (int c = 0; c < p.length; c++)
            p[c] /= total;
        return p;
    }

    /* AODE multiplies: with many features all products may be 0, and then WEKA refuses to normalise. */
    static double[] distribution(Classifier classifier, weka.core.Instance instance) throws Exception {
        try {
            return classifier.distributionForInstance(instance);
        } catch (IllegalArgumentException nothingLeft) {
            return new double[0];
        }
    }

    static void predict(Instances data, String name, String[] options) throws Exception {
        Instances numbers = numbers(data);
        Random random = new Random(1);
        shuffle(numbers, new Random(1));
        shuffle(data, random);
        for (int fold = 0; fold < 10; fold++) {
            Classifier classifier = name == null ? null : Classifier.forName(name, options.clone());
            Instances train = data.trainCV(10, fold, random);
            if (classifier != null)
                classifier.buildClassifier(train);
            Instances test = data.testCV(10, fold), who = numbers.testCV(10, fold);
            for (int i = 0; i < test.numInstances(); i++) {
                StringBuilder line = new StringBuilder();
                line.append((int) who.instance(i).value(0));
                for (double p : classifier == null ? neighbours(train, test.instance(i), Integer.parseInt(options[0]))
                                                   : distribution(classifier, test.instance(i)))
                    line.append(' ').append(p);
                System.out.println(line);
            }
        }
    }

    static void show(Instances data, String name, String[] options) throws Exception {
        Classifier classifier = Classifier.forName(name, options);
        classifier.buildClassifier(data);
        System.out.println(classifier);
    }

    public static void main(String[] given) throws Exception {
        Instances data = new Instances(new BufferedReader(new FileReader(given[0])));
        data.setClassIndex(data.numAttributes() - 1);
        if (given[1].equals("select"))
            select(data, Arrays.copyOfRange(given, 2, given.length));
        else if (given[1].equals("cuts"))
            cuts(data);
        else if (given[1].equals("score"))
            score(data, given[2], Arrays.copyOfRange(given, 3, given.length));
        else if (given[1].equals("neighbours"))
            predict(data, null, Arrays.copyOfRange(given, 2, given.length));
        else if (given[1].equals("show"))
            show(data, given[2], Arrays.copyOfRange(given, 3, given.length));
        else
            predict(data, given[2], Arrays.copyOfRange(given, 3, given.length));
    }
}
